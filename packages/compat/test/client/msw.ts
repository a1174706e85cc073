// The part of Mock Service Worker 0.42 that next-auth's tests of its client use.

interface MockedRequest {
  readonly url: URL
}

interface Draft {
  status: number
  body: string
}

type Transform = (draft: Draft) => void
type Resolver = (request: MockedRequest, respond: typeof res, context: typeof ctx) => Response

interface Handler {
  readonly method: string
  readonly pattern: string
  readonly resolve: Resolver
}

const origin = 'http://localhost'

const write =
  (changes: Partial<Draft>): Transform =>
  (draft) =>
    void Object.assign(draft, changes)

const ctx = {
  status: (status: number) => write({ status }),
  json: (value: unknown) => write({ body: JSON.stringify(value) }),
  text: (body: string) => write({ body }),
  body: (body: string) => write({ body })
}

function res(...transforms: readonly Transform[]): Response {
  const draft: Draft = { status: 200, body: '' }
  for (const transform of transforms) transform(draft)
  return new Response(draft.body, { status: draft.status })
}

export const rest = {
  get: (pattern: string, resolve: Resolver): Handler => ({ method: 'GET', pattern, resolve }),
  post: (pattern: string, resolve: Resolver): Handler => ({ method: 'POST', pattern, resolve })
}

function matches({ pattern }: Handler, { origin: from, pathname }: URL): boolean {
  if (pattern.startsWith('*')) return pathname.endsWith(pattern.slice(1))
  return new URL(pattern, origin).href === from + pathname
}

export function setupServer(...initial: readonly Handler[]) {
  let added: readonly Handler[] = []
  globalThis.fetch = async (input, { method = 'GET' } = {}) => {
    const url = new URL(String(input), origin)
    const handler = [...added, ...initial].find(
      (candidate) => candidate.method === method.toUpperCase() && matches(candidate, url)
    )
    if (!handler) throw new TypeError(`Failed to fetch ${method} ${url.href}`)
    return handler.resolve({ url }, res, ctx)
  }
  return {
    listen: () => undefined,
    close: () => undefined,
    use: (...handlers: readonly Handler[]) => {
      added = [...handlers, ...added]
    },
    resetHandlers: () => {
      added = []
    }
  }
}
