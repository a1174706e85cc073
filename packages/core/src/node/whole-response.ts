import { noteBytes } from '../model/read-answers.ts'

const bodiless = new Set([204, 205, 304])

const decoder = new TextDecoder()

function refuse(): never {
  throw new TypeError('expected an answer that nobody has read')
}

/** The content of an answer: it can be read once, in one of the ways that a `Response` has. */
class Content {
  readonly #bytes: Uint8Array<ArrayBuffer>
  readonly #init: ResponseInit
  #streamed: Response | null = null
  #isRead = false

  constructor(bytes: Uint8Array<ArrayBuffer>, init: ResponseInit) {
    this.#bytes = bytes
    this.#init = init
  }

  get isUsed(): boolean {
    return this.#isRead || (this.#streamed?.bodyUsed ?? false)
  }

  /** The same as a response of the runtime's own, for who wants more than text, JSON or bytes. */
  streamed(): Response {
    if (this.#streamed) return this.#streamed
    const isEmpty = bodiless.has(this.#init.status ?? 200)
    this.#streamed = new Response(isEmpty ? null : this.#bytes.slice(), this.#init)
    // What was read by a shorter way is read for every other.
    if (this.#isRead) void this.#streamed.text()
    return this.#streamed
  }

  async text(): Promise<string> {
    return this.#streamed ? this.#streamed.text() : decoder.decode(this.#read())
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#streamed ? this.#streamed.arrayBuffer() : this.#read().slice().buffer
  }

  clone(): Response {
    return this.isUsed ? refuse() : wholeResponse(this.#bytes, this.#init)
  }

  #read(): Uint8Array<ArrayBuffer> {
    if (this.#isRead) refuse()
    this.#isRead = true
    return this.#bytes
  }
}

/** What a `Response` has to be read by, as properties of a prototype: on each answer they would cost more than it does. */
function waysToRead<T>(contentOf: (response: T) => Content): PropertyDescriptorMap {
  const getter = (get: (content: Content) => unknown): PropertyDescriptor => ({
    get(this: T) {
      return get(contentOf(this))
    }
  })
  const method = (call: (content: Content) => unknown): PropertyDescriptor => ({
    value(this: T) {
      return call(contentOf(this))
    }
  })
  return {
    body: getter((content) => content.streamed().body),
    bodyUsed: getter((content) => content.isUsed),
    text: method((content) => content.text()),
    json: method(async (content) => JSON.parse(await content.text())),
    arrayBuffer: method((content) => content.arrayBuffer()),
    bytes: method(async (content) => new Uint8Array(await content.arrayBuffer())),
    blob: method((content) => content.streamed().blob()),
    formData: method((content) => content.streamed().formData()),
    clone: method((content) => content.clone())
  }
}

/** To name `Response` loads what Node fetches with, which a start can do without: the class is made when it is needed. */
function defineClass(): new (content: Content, init: ResponseInit) => Response {
  return class WholeResponse extends Response {
    readonly #content: Content

    static {
      const of = (response: WholeResponse): Content => response.#content
      Object.defineProperties(WholeResponse.prototype, waysToRead(of))
    }

    constructor(content: Content, init: ResponseInit) {
      super(null, init)
      this.#content = content
    }
  }
}

let definedClass: ReturnType<typeof defineClass> | null = null

/**
 * A response that was read to its end before anybody sees it.
 *
 * A `Response` of bytes makes a stream and reads that, at 40 µs each time; this one makes it only for those who ask for
 * more than text, JSON or bytes. It can be read once, as any other; its clones too.
 */
export function wholeResponse(bytes: Uint8Array<ArrayBuffer>, init: ResponseInit): Response {
  definedClass ??= defineClass()
  const response = new definedClass(new Content(bytes, init), init)
  noteBytes(response, bytes)
  return response
}
