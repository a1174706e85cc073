import type { Adapter, AdapterCall } from '@postern/core'

/** The methods that may be called in a transaction. */
export type CallMethods = Pick<Required<Adapter>, AdapterCall['method']>

type Arguments = { readonly [C in AdapterCall as C['method']]: C['args'] }

/** A call of one of these methods, with its arguments. */
type Call<Method extends AdapterCall['method']> = {
  readonly [M in Method]: { readonly method: M; readonly args: Arguments[M] }
}[Method]

/** The methods by name. The compiler relates each name to its arguments. */
type Performers = { readonly [M in AdapterCall['method']]: (...args: Arguments[M]) => unknown }

/** Makes the calls in order. @returns `false`, and skips the remaining calls, if a required call had no effect. */
export async function performAll(methods: CallMethods, calls: readonly AdapterCall[]): Promise<boolean> {
  for (const call of calls) {
    const result = await perform(methods, call)
    if (isRequired(call) && !result) return false
  }
  return true
}

/** The synchronous form of {@link performAll}. */
export function performAllNow(methods: CallMethods, calls: readonly AdapterCall[]): boolean {
  return calls.every((call) => {
    const result = perform(methods, call)
    return !isRequired(call) || Boolean(result)
  })
}

const requiredMethods: ReadonlySet<AdapterCall['method']> = new Set([
  'useVerificationToken',
  'consumeTicket',
  'putTicket',
  'updateFactor',
  'requireUserVersion',
  'advanceUser',
  'requireAddress'
])

/** Whether the transaction requires that this call has an effect, or finds what it expects. */
function isRequired({ method, isRequired = false }: AdapterCall): boolean {
  return isRequired || requiredMethods.has(method)
}

function perform<Method extends AdapterCall['method']>(methods: Performers, call: Call<Method>): unknown {
  return methods[call.method](...call.args)
}

/** Functions by name. */
type Operations = Readonly<Record<string, (...args: never[]) => unknown>>

/** The asynchronous forms of some functions. */
type Performed<All> = {
  readonly [Name in keyof All]: All[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never
}

/** Creates a method for each operation, which performs it alone. @param run - Runs the operation with a name. */
export function performEach<All extends Operations>(
  operations: All,
  run: (operation: () => unknown, name: string, args: never[]) => Promise<unknown>
): Performed<All> {
  const methods = Object.entries(operations).map(([name, operation]) => [
    name,
    (...args: never[]) => run(() => operation(...args), name, args)
  ])
  return Object.fromEntries(methods)
}
