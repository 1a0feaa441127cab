import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const docs = fileURLToPath(new URL('..', import.meta.url))

interface Link {
  text: string
  link: string
}

/** Pages of a folder by file name, titled by their first heading; its index is left out. */
function pagesOf(folder: string): Link[] {
  const path = `${docs}/${folder}`
  if (!existsSync(path)) return []
  return readdirSync(path)
    .filter((file) => file.endsWith('.md') && file !== 'index.md')
    .sort()
    .map((file) => ({ text: titleOf(`${path}/${file}`), link: `/${folder}/${file.replace(/\.md$/, '')}` }))
}

function titleOf(file: string): string {
  return /^#\s+(.+)$/m.exec(readFileSync(file, 'utf8'))?.[1]?.replaceAll('`', '') ?? file
}

/** The link, when the page exists: some pages are written by the packages they tell of. */
function optional(text: string, page: string): Link[] {
  return existsSync(`${docs}/${page}.md`) ? [{ text, link: `/${page}` }] : []
}

export default defineConfig({
  title: 'Spica',
  description: 'Finds how to deploy an LLM on your GPUs, on a laptop',
  srcExclude: ['scripts/**', 'README.md'],
  cleanUrls: true,
  // Package READMEs and typedoc refer to files of the repository, which the site does not hold.
  ignoreDeadLinks: [/^\.\.\/\.\.\//],
  markdown: {
    // Blocks that stand for a file (`file=NAME`) show its name.
    config(md) {
      const fence = md.renderer.rules.fence
      if (fence === undefined) return
      md.renderer.rules.fence = (tokens, index, ...rest) => {
        const name = /\bfile=(\S+)/.exec(tokens[index]?.info ?? '')?.[1]
        const html = fence(tokens, index, ...rest)
        return name === undefined ? html : `<p><code>${md.utils.escapeHtml(name)}</code></p>${html}`
      }
    },
  },
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guide', link: '/guide/first-sweep' },
      { text: 'Concepts', link: '/concepts/search-space' },
      { text: 'Reference', link: '/reference/config' },
    ],
    sidebar: [
      {
        text: 'Guide',
        items: [
          { text: 'First sweep', link: '/guide/first-sweep' },
          { text: 'Reading a report', link: '/guide/reading-a-report' },
          { text: 'Pareto sweeps', link: '/guide/pareto' },
          { text: 'Planner in the loop', link: '/guide/planner' },
          { text: 'Your own trace', link: '/guide/own-trace' },
          { text: 'Your own model', link: '/guide/own-model' },
          { text: 'Your own GPU', link: '/guide/own-gpu' },
          { text: 'Your own optimiser', link: '/guide/own-optimizer' },
          { text: 'Many machines', link: '/guide/many-machines' },
          { text: 'Why not this shape?', link: '/guide/why-not' },
          { text: 'From candidate to cluster', link: '/guide/export' },
        ],
      },
      {
        text: 'Concepts',
        items: [
          { text: 'Goals', link: '/concepts/goals' },
          { text: 'Traffic', link: '/concepts/traffic' },
          { text: 'Search space', link: '/concepts/search-space' },
          { text: 'Unrolled samples', link: '/concepts/unrolled-samples' },
          { text: 'Projection', link: '/concepts/projection' },
          { text: 'Determinism and systems', link: '/concepts/determinism' },
        ],
      },
      {
        text: 'Reference',
        items: [
          { text: 'Configuration', link: '/reference/config' },
          { text: 'Command line', link: '/reference/cli' },
          { text: 'Exit codes', link: '/reference/exit-codes' },
          { text: 'Output folder', link: '/reference/output-folder' },
          ...optional('Robustness', 'reference/robustness'),
          ...optional('Reported cases', 'reference/user-cases'),
          ...optional('Robustness', 'reference/robustness'),
          { text: 'API of the packages', link: '/reference/packages', collapsed: true, items: apiPages() },
        ],
      },
      {
        text: 'How good is it?',
        items: [
          { text: 'Accuracy', link: '/accuracy' },
          { text: 'Benchmarks', link: '/benchmarks' },
          { text: 'Deviations from upstream', link: '/deviations/', collapsed: true, items: pagesOf('deviations') },
          ...optional('Cases from the field', 'cases'),
        ],
      },
      { text: 'Decisions', collapsed: true, items: pagesOf('adr') },
    ],
  },
})

/** One link per module that typedoc wrote. */
function apiPages(): Link[] {
  const folder = `${docs}/reference/api`
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.endsWith('index.md'))
    .sort()
    .map((file) => file.replaceAll('\\', '/').replace(/\.md$/, ''))
    .map((page) => ({ text: `@spica/${page}`, link: `/reference/api/${page}` }))
}
