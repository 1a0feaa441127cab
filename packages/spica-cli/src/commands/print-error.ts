import { SpicaConfigError, SpicaError } from '@spica/schema'
import { redactBrokerUrl } from '../broker/connection.js'

/** What a user sees of an error: one clear message with a hint, and the stack only in debug mode. */
export function errorText(error: unknown, debug: boolean): string {
  const stack = debug && error instanceof Error ? `\n${error.stack ?? ''}${causeText(error)}` : ''
  return redactUrls(messageOf(error)) + redactUrls(stack) + '\n'
}

function messageOf(error: unknown): string {
  if (error instanceof SpicaConfigError) return error.issues.length === 1 ? `error: ${error.message}` : error.message
  if (error instanceof SpicaError && error.kind !== 'internal')
    return `error: ${error.message}${error.hint === undefined || error.message.includes(error.hint) ? '' : `\nhint: ${error.hint}`}`
  const message = error instanceof Error ? error.message : String(error)
  return `error: ${message.split('\n')[0]}\nThis is a defect of spica; --debug shows where it happened.`
}

function causeText(error: Error): string {
  return error.cause instanceof Error ? `\ncaused by: ${error.cause.stack ?? error.cause.message}` : ''
}

/** Secrets of broker addresses never get out, wherever a message picked one up. */
function redactUrls(text: string): string {
  return text.replace(/rediss?:\/\/[^\s'"]+/g, (url) => redactBrokerUrl(url))
}
