/** A titled part of a page. */

import { html } from './dom.js'

/** A card with a title. */
export function section(title, ...children) {
  return html('section', { class: 'card' }, html('h3', null, title), ...children)
}
