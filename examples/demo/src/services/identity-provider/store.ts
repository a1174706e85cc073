import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'

interface StoredPayload {
  readonly payload: AdapterPayload
  /** Milliseconds since 1970. */
  readonly expires: number
}

/** Stores the provider's sessions, grants, codes and tokens in memory until they expire. */
export function createStore(): AdapterFactory {
  const everything = new Map<string, StoredPayload>()
  return (model) => new Store(model, everything)
}

class Store implements Adapter {
  readonly #model: string
  readonly #everything: Map<string, StoredPayload>

  constructor(model: string, everything: Map<string, StoredPayload>) {
    this.#model = model
    this.#everything = everything
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const now = Date.now()
    for (const [key, { expires }] of this.#everything) if (expires <= now) this.#everything.delete(key)
    this.#everything.set(this.#key(id), {
      payload,
      expires: expiresIn === undefined ? Number.POSITIVE_INFINITY : now + expiresIn * 1000
    })
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.#everything.get(this.#key(id))?.payload
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#findWhere((payload) => payload.uid === uid)
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#findWhere((payload) => payload.userCode === userCode)
  }

  async consume(id: string): Promise<void> {
    const stored = this.#everything.get(this.#key(id))
    if (stored) stored.payload.consumed = Math.floor(Date.now() / 1000)
  }

  async destroy(id: string): Promise<void> {
    this.#everything.delete(this.#key(id))
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, { payload }] of this.#everything) if (payload.grantId === grantId) this.#everything.delete(key)
  }

  #key(id: string): string {
    return `${this.#model}:${id}`
  }

  #findWhere(matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    const prefix = this.#key('')
    return [...this.#everything].find(([key, { payload }]) => key.startsWith(prefix) && matches(payload))?.[1].payload
  }
}
