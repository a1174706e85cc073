import { isObject } from '../model/json-object.ts'

const hidden = '[hidden]'

/** Shorter strings occur in messages by chance. */
const shortest = 6

/** Collects every string in a value, to `depth` levels, as secrets to redact. */
export function textsIn(value: unknown, depth: number = 4): readonly string[] {
  if (typeof value === 'string') return value.length < shortest ? [] : [value]
  if (!isObject(value) || depth === 0) return []
  return Object.values(value).flatMap((member) => textsIn(member, depth - 1))
}

function without(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, hidden), text)
}

function isTelling(error: Error, secrets: readonly string[], depth: number): boolean {
  const { message, stack = '', cause, ...own } = error
  const texts = [message, stack, ...textsIn(own)]
  if (texts.some((text) => secrets.some((secret) => text.includes(secret)))) return true
  return cause instanceof Error && depth > 0 && isTelling(cause, secrets, depth - 1)
}

/**
 * Removes secrets from a third-party error: some libraries put the arguments of a call into the message.
 *
 * @returns The error itself if it contains none of the secrets, otherwise a copy without them.
 */
export function redacted(error: unknown, secrets: readonly string[], depth: number = 5): unknown {
  if (!(error instanceof Error) || secrets.length === 0 || !isTelling(error, secrets, depth)) return error
  const { name, message, stack = '', cause } = error
  const details = cause instanceof Error && depth > 0 ? { cause: redacted(cause, secrets, depth - 1) } : undefined
  const copy = new Error(without(message, secrets), details)
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return Object.assign(copy, { name, stack: without(stack, secrets), ...code })
}
