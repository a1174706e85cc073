import type { Adapter, AdapterCall } from '@postern/core'
import type { AccountMethods, SessionMethods, UserMethods, VerificationTokenMethods } from './methods.ts'

/** The methods that may be called in a transaction. */
export type CallMethods = Pick<Required<Adapter>, AdapterCall['method']>

type NextAuthMethods = UserMethods & AccountMethods & SessionMethods & VerificationTokenMethods

/** The calls for the tables that only Postern has. */
type OwnCall = Exclude<AdapterCall, { readonly method: keyof NextAuthMethods }>

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
  ...(['useVerificationToken', 'consumeTicket', 'putTicket', 'updateFactor'] as const),
  ...(['requireUserVersion', 'advanceUser', 'requireAddress'] as const)
])

/** Whether the transaction requires that this call has an effect, or finds what it expects. */
function isRequired({ method, isRequired = false }: AdapterCall): boolean {
  return isRequired || requiredMethods.has(method)
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
    default:
      return performOwn(methods, call)
  }
}

/** Makes a call that concerns a table which next-auth does not have. */
function performOwn(methods: CallMethods, call: OwnCall): unknown {
  switch (call.method) {
    case 'putSessionRecord':
      return methods.putSessionRecord(...call.args)
    case 'deleteSessionRecord':
      return methods.deleteSessionRecord(...call.args)
    case 'revoke':
      return methods.revoke(...call.args)
    case 'putAccountEvidence':
      return methods.putAccountEvidence(...call.args)
    case 'createTicket':
      return methods.createTicket(...call.args)
    case 'putTicket':
      return methods.putTicket(...call.args)
    case 'consumeTicket':
      return methods.consumeTicket(...call.args)
    case 'deleteTickets':
      return methods.deleteTickets(...call.args)
    case 'createFactor':
      return methods.createFactor(...call.args)
    case 'updateFactor':
      return methods.updateFactor(...call.args)
    case 'deleteFactor':
      return methods.deleteFactor(...call.args)
    case 'addEvents':
      return methods.addEvents(...call.args)
    case 'requireUserVersion':
      return methods.requireUserVersion(...call.args)
    case 'advanceUser':
      return methods.advanceUser(...call.args)
    case 'requireAddress':
      return methods.requireAddress(...call.args)
  }
}
