import { connect, type Socket } from 'node:net'

/** An answer, as it came. */
export interface HttpResponse {
  readonly status: number
  /** The status line and the headers. */
  readonly head: string
  /** Every byte is one character. */
  readonly body: string
}

interface Waiting {
  readonly resolve: (response: HttpResponse) => void
  readonly reject: (error: Error) => void
}

const lengthHeader = /\r\ncontent-length: *(\d+)/i
const chunkedHeader = /\r\ntransfer-encoding: *chunked/i

/** The body of a chunked answer (RFC 9112 §7.1) and where it ends, or `null` while there is more to come. */
function readChunks(text: string, from: number): { readonly body: string; readonly end: number } | null {
  let body = ''
  for (let at = from; ; ) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const size = Number.parseInt(text.slice(at, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (text.length < next) return null
    if (size === 0) return { body, end: next }
    body += text.slice(lineEnd + 2, lineEnd + 2 + size)
    at = next
  }
}

function readResponse(text: string): { readonly response: HttpResponse; readonly end: number } | null {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const head = text.slice(0, headEnd)
  const status = Number(head.slice(9, 12))
  const start = headEnd + 4
  if (chunkedHeader.test(head)) {
    const chunks = readChunks(text, start)
    return chunks && { response: { status, head, body: chunks.body }, end: chunks.end }
  }
  const isBodiless = status === 204 || status === 304
  const end = start + (isBodiless ? 0 : Number(lengthHeader.exec(head)?.[1] ?? 0))
  return text.length < end ? null : { response: { status, head, body: text.slice(start, end) }, end }
}

/** One connection that is kept: a request at a time, ready-made, with as little work around it as can be. */
export class Connection {
  readonly #socket: Socket
  #text = ''
  #waiting: Waiting | null = null

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => this.#receive(text))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the server closed the connection')))
  }

  /** @param port - Of this machine. */
  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Connection(socket)))
      socket.once('error', reject)
    })
  }

  /** @param request - The whole request, in characters of one byte. */
  send(request: string): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#socket.write(request, 'latin1')
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(text: string): void {
    this.#text += text
    const read = readResponse(this.#text)
    if (!read) return
    this.#text = this.#text.slice(read.end)
    const waiting = this.#waiting
    this.#waiting = null
    waiting?.resolve(read.response)
  }

  #fail(error: Error): void {
    const waiting = this.#waiting
    this.#waiting = null
    waiting?.reject(error)
  }
}
