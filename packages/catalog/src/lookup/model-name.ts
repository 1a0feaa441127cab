/**
 * The form in which model names are compared: lower case, without `hf:`, `hf://`, `huggingface/`, the Hub's address, a revision
 * (`@…`, `/tree/…`) or a trailing slash. `models--org--name` and `org--name`, the cache's spellings, read as `org/name`.
 */
export function normaliseModelName(name: string): string {
  let text = name.trim().toLowerCase()
  text = text.replace(/^(https?:\/\/)?(www\.)?(huggingface\.co|hf\.co)\//, '')
  text = text.replace(/^(hf|huggingface|hf-hub)(:\/\/|:|\/)/, '')
  text = text.replace(/^models--/, '').replace(/^models\//, '')
  text = text.replace(/\/(tree|blob|resolve)\/.*$/, '').replace(/@[^/]*$/, '')
  text = text.replace(/\/+$/, '')
  return text.includes('/') ? text : text.replace('--', '/')
}

/** The part after the organisation. */
export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
