// The pages of this folder, for its index.
import { createContentLoader } from 'vitepress'

export default createContentLoader('deviations/*.md', {
  includeSrc: true,
  transform: (pages) =>
    pages
      .filter(({ url }) => !url.endsWith('/'))
      .map(({ url, src }) => ({ url, title: /^#\s+(.+)$/m.exec(src)?.[1] ?? url }))
      .sort((a, b) => a.title.localeCompare(b.title)),
})
