// The part of Testing Library that next-auth's tests of its client use.
import { act, createElement, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { registered } from './jest.ts'

type Component = (props: { children?: ReactNode }) => ReactNode

const maxWait = 1000
// The tests replace the timers.
const { setImmediate } = globalThis
const mounted = new Set<{ readonly root: Root; readonly element: HTMLElement }>()

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function render(node: ReactNode): void {
  const element = document.createElement('div')
  document.body.append(element)
  const root = createRoot(element)
  mounted.add({ root, element })
  act(() => root.render(node))
}

registered.afterEach.push(() => {
  for (const { root, element } of mounted) {
    act(() => root.unmount())
    element.remove()
  }
  mounted.clear()
})

export function renderHook<T>(use: () => T, { wrapper }: { readonly wrapper: Component }): { result: { current: T } } {
  const result = {} as { current: T }
  function Hook(): null {
    result.current = use()
    return null
  }
  render(createElement(wrapper, null, createElement(Hook)))
  return { result }
}

/** Calls a function until it throws nothing. */
export async function waitFor<T>(check: () => T): Promise<T> {
  const started = performance.now()
  for (;;) {
    try {
      return check()
    } catch (error) {
      if (performance.now() - started > maxWait) throw error
    }
    await act(settled)
  }
}

function find(selector: string, matches: (element: Element) => boolean = () => true): Element {
  const found = [...document.querySelectorAll(selector)].filter(matches)
  if (found.length !== 1 || !found[0]) throw new Error(`expected one ${selector}, found ${found.length}`)
  return found[0]
}

export const screen = {
  getByTestId: (id: string) => find(`[data-testid="${id}"]`),
  getByRole: (role: string) => find(role),
  findByText: (text: string | RegExp) =>
    waitFor(() =>
      find('p, pre', ({ textContent }) =>
        typeof text === 'string' ? textContent === text : text.test(textContent ?? '')
      )
    )
}

const userEvent = { click: (element: HTMLElement) => act(() => element.click()) }

// biome-ignore lint/style/noDefaultExport: `@testing-library/user-event` has it.
export default userEvent
