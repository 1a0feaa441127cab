/** Characters that HTML cannot hold: controls but tab and line breaks, and halves of surrogate pairs. */
const UNREPRESENTABLE = /(?![\t\n\r])[\p{Cc}\p{Cs}]/gu

/** Text for HTML and SVG content and for quoted attributes. What HTML cannot hold becomes U+FFFD. */
export function escapeHtml(text: string): string {
  return text
    .replace(UNREPRESENTABLE, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** JSON that cannot end the script element it stands in, nor start a comment or another element there. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}
