import type { Connection, HttpResponse } from './connection.ts'

/** What a visitor asks for. */
export interface Question {
  readonly path: string
  /** A form or JSON makes it a POST. */
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly cookies?: ReadonlyMap<string, string>
  /** Where the site lives: the `Host` of the request, and the `Origin` of what is posted. */
  readonly origin: string
}

/** @returns The request, ready to be sent. */
export function write({ path, form, json, cookies, origin }: Question): string {
  const lines = [`host: ${origin.replace(/^https?:\/\//, '')}`, 'accept: */*', 'user-agent: bench']
  if (cookies && cookies.size > 0)
    lines.push(`cookie: ${[...cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`)
  if (!form && json === undefined) return `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
  const body = form ? new URLSearchParams(form).toString() : JSON.stringify(json)
  lines.push(`origin: ${origin}`, `content-type: application/${form ? 'x-www-form-urlencoded' : 'json'}`)
  lines.push(`content-length: ${Buffer.byteLength(body)}`)
  return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

const setCookieLine = /\r\nset-cookie: *([^=;\s]+)=([^;\r]*)([^\r]*)/gi

/** @returns The cookies that a browser has after an answer; what is cleared is gone. */
export function keepCookies(cookies: ReadonlyMap<string, string>, { head }: HttpResponse): Map<string, string> {
  const kept = new Map(cookies)
  for (const [, name = '', value = '', attributes = ''] of head.matchAll(setCookieLine)) {
    const isCleared = /max-age=0\b|expires=thu, 01 jan 1970/i.test(attributes)
    if (isCleared || value === '') kept.delete(name)
    else kept.set(name, value)
  }
  return kept
}

/** @throws Error an answer without the header. */
export function getLocation({ status, head }: HttpResponse): string {
  const location = /\r\nlocation: *([^\r]+)/i.exec(head)?.[1]
  if (location === undefined) throw new Error(`expected a redirect, got ${status}`)
  return location
}

/** @throws Error an answer of another status, or without the text. */
export function expectResponse(response: HttpResponse, status: number, text: string = ''): HttpResponse {
  if (response.status === status && response.body.includes(text)) return response
  const came = `${response.status} ${response.body.slice(0, 200)}`
  throw new Error(`expected ${status}${text && ` with ${text}`}, got ${came}\n${response.head}`)
}

/** A visitor of one site: a connection and cookies. */
export class Visitor {
  cookies: ReadonlyMap<string, string>
  readonly connection: Connection
  readonly #origin: string

  constructor(connection: Connection, origin: string, cookies: ReadonlyMap<string, string> = new Map()) {
    this.connection = connection
    this.#origin = origin
    this.cookies = cookies
  }

  async ask(question: Omit<Question, 'cookies' | 'origin'>): Promise<HttpResponse> {
    const request = write({ ...question, origin: this.#origin, cookies: this.cookies })
    const response = await this.connection.send(request)
    this.cookies = keepCookies(this.cookies, response)
    return response
  }
}
