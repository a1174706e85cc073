import { keepBody } from './buffered-body.ts'

/** The text of bytes in UTF-8, as `text()` of a response decodes it. */
const decoder = new TextDecoder()

/**
 * A response whose body was read to its end. It has a stream once somebody asks for one: in Node, a token response that is created and
 * read with one takes almost three times as long. Otherwise its members are like those of a response of `fetch`.
 */
class BufferedResponse extends Response {
  readonly #content: Uint8Array<ArrayBuffer>
  #isTaken = false
  #streamed: Response | null = null

  constructor(content: Uint8Array<ArrayBuffer>, init: ResponseInit) {
    super(null, init)
    this.#content = content
  }

  /** The same response with a stream, which is used up if the body was read before. */
  #open(): Response {
    if (!this.#streamed) {
      this.#streamed = new Response(this.#content, this)
      if (this.#isTaken) void this.#streamed.arrayBuffer()
    }
    return this.#streamed
  }

  /** @throws TypeError if the body was read before. */
  #expectUnread(): void {
    if (this.bodyUsed) throw new TypeError('expected a response whose body was not read before')
  }

  /** @throws TypeError if the body was read before. */
  async #readText(): Promise<string> {
    if (this.#streamed) return this.#streamed.text()
    this.#expectUnread()
    this.#isTaken = true
    return decoder.decode(this.#content)
  }

  // The types say that these members are properties, which a class cannot replace by methods and getters.
  static {
    const reading = (name: 'arrayBuffer' | 'blob' | 'bytes' | 'formData') => ({
      async value(this: BufferedResponse): Promise<unknown> {
        this.#expectUnread()
        return this.#open()[name]()
      }
    })
    const members: PropertyDescriptorMap & ThisType<BufferedResponse> = {
      body: {
        get() {
          return this.#open().body
        }
      },
      bodyUsed: {
        get() {
          return this.#isTaken || this.#streamed?.bodyUsed === true
        }
      },
      clone: {
        value() {
          this.#expectUnread()
          return this.#streamed?.clone() ?? new BufferedResponse(this.#content, this)
        }
      },
      text: {
        value() {
          return this.#readText()
        }
      },
      json: {
        async value() {
          return JSON.parse(await this.#readText())
        }
      },
      arrayBuffer: reading('arrayBuffer'),
      blob: reading('blob'),
      formData: reading('formData'),
      ...('bytes' in Response.prototype && { bytes: reading('bytes') })
    }
    Object.defineProperties(BufferedResponse.prototype, members)
  }
}

/** Creates a response whose body was read to its end, so that nobody has to read it from a stream. */
export function createBufferedResponse(content: Uint8Array<ArrayBuffer>, init: ResponseInit): Response {
  return keepBody(new BufferedResponse(content, init), content)
}
