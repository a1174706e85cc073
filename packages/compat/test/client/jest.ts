// The part of Jest that next-auth's tests of its client use.
import { mock } from 'node:test'
import { isDeepStrictEqual } from 'node:util'

type Work = () => unknown
type Call = (...args: unknown[]) => unknown

/** A function that records its calls. */
export interface Mock extends Call {
  readonly mock: { calls: unknown[][] }
}

interface Case {
  readonly name: string
  readonly run: Work
}

/** What a test file has registered. */
export const registered = {
  tests: [] as Case[],
  beforeAll: [] as Work[],
  beforeEach: [] as Work[],
  afterEach: [] as Work[],
  afterAll: [] as Work[]
}

const mocks: Mock[] = []
const anything = Symbol('anything')

export function createMock(call: Call = () => undefined): Mock {
  const state = { calls: [] as unknown[][] }
  const mocked = Object.assign(
    function (this: unknown, ...args: unknown[]) {
      state.calls.push(args)
      return call.apply(this, args)
    },
    {
      mock: state,
      mockClear: () => {
        state.calls = []
      }
    }
  )
  mocks.push(mocked)
  return mocked
}

function spyOn(target: Record<string, unknown>, name: string): unknown {
  const original = target[name]
  if (typeof original !== 'function') throw new TypeError(`expected a function ${name}`)
  if ('mock' in original) return original
  const spy = createMock(function (this: unknown, ...args) {
    return Reflect.apply(original, this, args)
  })
  target[name] = spy
  return spy
}

const jest = {
  fn: createMock,
  spyOn,
  /** The only module that the tests replace is next-auth's logger, which the loader replaces. */
  mock: () => undefined,
  clearAllMocks: () => {
    for (const mocked of mocks) mocked.mock.calls = []
  },
  useFakeTimers: () => mock.timers.enable({ apis: ['setInterval', 'setTimeout', 'Date'], now: Date.now() }),
  advanceTimersByTime: (milliseconds: number) => mock.timers.tick(milliseconds)
}

function isEqual(actual: unknown, expected: unknown): boolean {
  return expected === anything ? actual !== null && actual !== undefined : isDeepStrictEqual(actual, expected)
}

/** Jest's snapshots of lists of texts and of flat objects. */
function format(value: unknown): string {
  const isList = Array.isArray(value)
  const entries = Object.entries(value ?? {})
  if (!isList) entries.sort(([one], [other]) => (one < other ? -1 : 1))
  const lines = entries.map(([name, item]) => `${isList ? '' : `"${name}": `}${JSON.stringify(item)},`)
  return [isList ? 'Array [' : 'Object {', ...lines, isList ? ']' : '}'].join('\n')
}

const trimmed = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .join('\n')

const getCalls = (value: unknown): unknown[][] => (value as Mock).mock.calls

function wasCalledWith(value: unknown, expected: unknown[]): boolean {
  return getCalls(value).some(
    (call) => call.length === expected.length && call.every((argument, at) => isEqual(argument, expected[at]))
  )
}

function didThrow(value: unknown, message: string): boolean {
  try {
    ;(value as Work)()
    return false
  } catch (error) {
    return error instanceof Error && error.message.includes(message)
  }
}

/** Whether a value satisfies a matcher. */
const matchers: Readonly<Record<string, (value: unknown, ...expected: unknown[]) => boolean>> = {
  toBe: (value, expected) => Object.is(value, expected),
  toEqual: isEqual,
  toStrictEqual: isEqual,
  toHaveLength: (value, length) => (value as unknown[]).length === length,
  toHaveBeenCalled: (value) => getCalls(value).length > 0,
  toHaveBeenCalledTimes: (value, count) => getCalls(value).length === count,
  toHaveBeenCalledWith: (value, ...expected) => wasCalledWith(value, expected),
  toBeCalledWith: (value, ...expected) => wasCalledWith(value, expected),
  toHaveTextContent: (value, text) => `${(value as { textContent: unknown }).textContent}`.includes(`${text}`),
  toBeInTheDocument: (value) => (value as { isConnected: unknown }).isConnected === true,
  toMatchInlineSnapshot: (value, text) => trimmed(format(value)) === trimmed(`${text}`),
  toThrow: (value, message) => didThrow(value, `${message}`)
}

function expectations(value: unknown, isNegated: boolean): Readonly<Record<string, (...expected: unknown[]) => void>> {
  return Object.fromEntries(
    Object.entries(matchers).map(([name, matches]) => [
      name,
      (...expected: unknown[]) => {
        if (matches(value, ...expected) !== isNegated) return
        const shown = typeof value === 'function' && 'mock' in value ? getCalls(value) : value
        throw new Error(
          `expected ${JSON.stringify(shown)} ${isNegated ? 'not ' : ''}${name} ${JSON.stringify(expected)}`
        )
      }
    ])
  )
}

function expectValue(value: unknown): object {
  return { ...expectations(value, false), not: expectations(value, true) }
}

/** Registers a test for each row of a table: `provider | type`, and the values. */
function each(texts: readonly string[], ...values: readonly unknown[]) {
  const columns = (texts[0] ?? '').split('|').map((name) => name.trim())
  const rows = Array.from({ length: values.length / columns.length }, (_, row) =>
    Object.fromEntries(columns.map((name, column) => [name, values[row * columns.length + column]]))
  )
  return (title: string, run: (row: Record<string, unknown>) => unknown) => {
    for (const row of rows) {
      const name = title.replaceAll(/\$(\w+)/g, (_, column: string) => `${row[column]}`)
      registered.tests.push({ name, run: () => run(row) })
    }
  }
}

const test = Object.assign((name: string, run: Work) => void registered.tests.push({ name, run }), { each })

Object.assign(globalThis, {
  jest,
  test,
  expect: Object.assign(expectValue, { anything: () => anything }),
  beforeAll: (work: Work) => registered.beforeAll.push(work),
  beforeEach: (work: Work) => registered.beforeEach.push(work),
  afterEach: (work: Work) => registered.afterEach.push(work),
  afterAll: (work: Work) => registered.afterAll.push(work)
})

/** Runs what a file has registered. @returns The message of the failure of each test, or `null`. */
export async function runRegistered(): Promise<readonly (readonly [name: string, failure: string | null])[]> {
  const all = async (works: readonly Work[]): Promise<void> => {
    for (const work of works) await work()
  }
  const results: [string, string | null][] = []
  await all(registered.beforeAll)
  for (const { name, run } of registered.tests) {
    const failure = await all([...registered.beforeEach, run]).then(
      () => null,
      (error: unknown) => String(error)
    )
    results.push([name, failure])
    await all(registered.afterEach)
  }
  await all(registered.afterAll)
  return results
}
