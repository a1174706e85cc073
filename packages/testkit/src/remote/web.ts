/** A web platform object as a plain object; its functions stay in their process. */
export interface WebValue {
  readonly kind: string
  readonly content: unknown
}

/** @returns `null` if the value is not a web platform object. */
export function encodeWeb(value: object): WebValue | null {
  if (value instanceof URL) return { kind: 'url', content: value.href }
  if (value instanceof URLSearchParams) return { kind: 'search', content: String(value) }
  if (value instanceof Headers) return { kind: 'headers', content: [...value] }
  if (value instanceof AbortSignal) return { kind: 'signal', content: signalMembers(value) }
  return value instanceof Response ? { kind: 'response', content: responseMembers(value) } : null
}

/** Restores a value from {@link encodeWeb}. */
export function decodeWeb(kind: string, content: unknown): unknown {
  if (kind === 'url') return new URL(String(content))
  if (kind === 'search') return new URLSearchParams(String(content))
  if (kind === 'headers' && isHeaders(content)) return new Headers(content)
  if (kind === 'signal' && isSignal(content)) return toSignal(content)
  if (kind === 'response' && isResponse(content)) return toResponse(content)
  throw new TypeError(`unknown kind "${kind}"`)
}

type HeaderList = [string, string][]

interface SignalMembers {
  readonly aborted: boolean
  readonly reason: unknown
  /** Calls back on abort, immediately if it is already aborted. */
  readonly listen: (abort: (reason: unknown) => unknown) => unknown
}

interface ResponseMembers {
  readonly status: number
  readonly statusText: string
  readonly url: string
  readonly headers: HeaderList
  /** The next chunk of the body; `null` if there is no body. */
  readonly read: (() => unknown) | null
  readonly cancel: ((reason: unknown) => unknown) | null
}

const isHeaders = (value: unknown): value is HeaderList => Array.isArray(value)
const isSignal = (value: unknown): value is SignalMembers =>
  typeof value === 'object' && value !== null && 'listen' in value
const isResponse = (value: unknown): value is ResponseMembers =>
  typeof value === 'object' && value !== null && 'status' in value

function signalMembers(signal: AbortSignal): SignalMembers {
  const { aborted } = signal
  const listen: SignalMembers['listen'] = (abort) => {
    if (signal.aborted) void abort(signal.reason)
    else signal.addEventListener('abort', () => void abort(signal.reason), { once: true })
  }
  return { aborted, reason: aborted ? signal.reason : null, listen }
}

function toSignal({ aborted, reason, listen }: SignalMembers): AbortSignal {
  if (aborted) return AbortSignal.abort(reason)
  const controller = new AbortController()
  listen((reason) => controller.abort(reason))
  return controller.signal
}

function responseMembers(response: Response): ResponseMembers {
  const { status, statusText, url, headers } = response
  const members = { status, statusText, url, headers: [...headers] }
  const reader = response.body?.getReader()
  if (!reader) return { ...members, read: null, cancel: null }
  return { ...members, read: () => reader.read(), cancel: (reason) => reader.cancel(reason) }
}

const isPart = (value: unknown): value is { readonly done: boolean; readonly value: unknown } =>
  typeof value === 'object' && value !== null && 'done' in value

function getBody(read: () => unknown, cancel: ResponseMembers['cancel']): ReadableStream {
  return new ReadableStream({
    pull: async (controller) => {
      const part = await read()
      if (!isPart(part) || part.done) controller.close()
      else controller.enqueue(part.value)
    },
    cancel: async (reason) => void (await cancel?.(reason))
  })
}

function toResponse({ status, statusText, url, headers, read, cancel }: ResponseMembers): Response {
  const response = new Response(read ? getBody(read, cancel) : null, { status, statusText, headers })
  if (url !== '') Object.defineProperty(response, 'url', { value: url })
  return response
}
