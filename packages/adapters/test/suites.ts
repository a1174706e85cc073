import type { Adapter } from '@postern/core'
import { isLong } from '@postern/testkit/long'
import type { Test } from 'tap'

/**
 * Shares the suites of the contract out to the ways of opening one store: in `npm test`, each way of `count` runs those at
 * its place, so that the store passes every suite once; in the long run, each way runs all of them.
 */
export function suitesAt(t: Test, place: number, count: number): Test {
  if (isLong) return t
  let suites = 0
  return withTest(t, () => suites++ % count === place)
}

/** The suites of the contract whose names match; in the long run, all of them. */
export function suitesNamed(t: Test, names: RegExp): Test {
  return isLong ? t : withTest(t, (name) => names.test(name))
}

/** The same test, whose subtests are only those that are declared. */
function withTest(t: Test, isDeclared: (name: string) => boolean): Test {
  const test = new Proxy(t.test, {
    apply: (declare, _, args) => (isDeclared(String(args[0])) ? Reflect.apply(declare, t, args) : undefined)
  })
  return new Proxy(t, {
    get: (target, name) => {
      const value: unknown = name === 'test' ? test : Reflect.get(target, name)
      return typeof value === 'function' && name !== 'test' ? value.bind(target) : value
    }
  })
}

/** Opens an adapter once for all suites or tests, with its connections; it is closed after `t`. */
export function openOnce<T extends Adapter, Args extends readonly unknown[]>(
  t: Test,
  open: (...args: Args) => T
): (...args: Args) => T {
  let adapter: T | undefined
  return (...args) => {
    if (!adapter) {
      const opened = open(...args)
      t.teardown(() => opened.close?.())
      adapter = { ...opened, close: () => undefined }
    }
    return adapter
  }
}
