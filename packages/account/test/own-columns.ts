import type { PasskeyOptions } from '@postern/account/passkey'
import type { PasswordOptions } from '@postern/account/password'
import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, AdapterUser } from '@postern/core'

/** What an application adds to the form of a sign-up. */
export const fields = {
  signUpFields: {
    company: { label: { en: 'Company', de: 'Firma' }, autocomplete: 'organization' },
    plan: { label: 'Plan', options: { free: 'Free', pro: { en: 'Professional', de: 'Profi' } } },
    terms: { label: 'I accept the terms', type: 'checkbox', required: true },
    phone: { label: 'Phone', type: 'tel', required: false, hint: 'For emergencies' }
  },
  validateSignUp: async ({ company }) =>
    company === 'Evil' ? { company: { en: 'Not this one', de: 'Nicht diese' } } : {}
} satisfies PasswordOptions & PasskeyOptions

/** A store that keeps every field of a user. */
export function createAdapter(): Adapter {
  const { transact: _, ...stored } = memoryAdapter()
  const columns = new Map<string, object>()
  const withColumns = (user: AdapterUser | null | undefined): AdapterUser | null =>
    user ? { ...columns.get(user.id), ...user } : null
  return {
    ...stored,
    createUser: async (user) => {
      const row = await stored.createUser(user)
      columns.set(row.id, user)
      return { ...user, ...row }
    },
    getUser: async (id) => withColumns(await stored.getUser(id)),
    getUserByEmail: async (email) => withColumns(await stored.getUserByEmail(email))
  }
}

/** The columns of the user that the application has added. */
export const readColumns = (user: AdapterUser | null) => ({ ...user })
