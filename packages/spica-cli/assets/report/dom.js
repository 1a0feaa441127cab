/** Building elements without ever parsing text as markup. */

const SVG = 'http://www.w3.org/2000/svg'

/** Sets attributes: functions become listeners, true an empty attribute, false and null none. */
function assign(element, attributes) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue
    if (typeof value === 'function') element.addEventListener(name, value)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  return element
}

/** An HTML element; strings among the children become text. */
export function html(tag, attributes, ...children) {
  const element = assign(document.createElement(tag), attributes)
  element.append(...children.flat(Number.POSITIVE_INFINITY).filter((child) => child !== null && child !== undefined))
  return element
}

/** An SVG element. */
export function svg(tag, attributes, ...children) {
  const element = assign(document.createElementNS(SVG, tag), attributes)
  element.append(...children.flat(Number.POSITIVE_INFINITY).filter((child) => child !== null && child !== undefined))
  return element
}

/** The element with that id. */
export function byId(id) {
  return document.getElementById(id)
}
