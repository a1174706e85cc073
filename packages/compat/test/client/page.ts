// The globals of a page.
import { Window } from 'happy-dom'

const window = new Window({ url: 'http://localhost/' })

/** The tests replace its methods. */
class LocalStorage {
  readonly #items = new Map<string, string>()

  getItem(key: string): string | null {
    return this.#items.get(key) ?? null
  }

  setItem(key: string, value: string): void {
    this.#items.set(key, value)
  }

  removeItem(key: string): void {
    this.#items.delete(key)
  }
}

const globals = {
  window: globalThis,
  location: { href: 'http://localhost/', reload: () => undefined },
  document: window.document,
  navigator: window.navigator,
  localStorage: new LocalStorage(),
  Event: window.Event,
  HTMLIFrameElement: window.HTMLIFrameElement,
  addEventListener: window.addEventListener.bind(window),
  removeEventListener: window.removeEventListener.bind(window),
  IS_REACT_ACT_ENVIRONMENT: true
}
for (const [name, value] of Object.entries(globals)) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
}
