import type { Adapter, AdapterCall } from '@postern/core'

/** The methods that may be called in one transaction. */
export type CallMethods = Pick<Required<Adapter>, AdapterCall['method']>

/** Makes the calls in order. @returns `false`, with calls left over, where a one-time token was not there. */
export async function performAll(methods: CallMethods, calls: readonly AdapterCall[]): Promise<boolean> {
  for (const call of calls) {
    const result = await perform(methods, call)
    if (call.method === 'useVerificationToken' && !result) return false
  }
  return true
}

/** The same with methods that have done their work when they return. */
export function performAllNow(methods: CallMethods, calls: readonly AdapterCall[]): boolean {
  return calls.every((call) => {
    const result = perform(methods, call)
    return call.method !== 'useVerificationToken' || result !== null
  })
}

function perform(methods: CallMethods, call: AdapterCall): unknown {
  switch (call.method) {
    case 'createUser':
      return methods.createUser(...call.args)
    case 'updateUser':
      return methods.updateUser(...call.args)
    case 'linkAccount':
      return methods.linkAccount(...call.args)
    case 'unlinkAccount':
      return methods.unlinkAccount(...call.args)
    case 'updateAccount':
      return methods.updateAccount(...call.args)
    case 'createSession':
      return methods.createSession(...call.args)
    case 'deleteSession':
      return methods.deleteSession(...call.args)
    case 'deleteSessions':
      return methods.deleteSessions(...call.args)
    case 'useVerificationToken':
      return methods.useVerificationToken(...call.args)
  }
}
