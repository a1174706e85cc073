import type { Adapter, AdapterAccount, Factor } from '@postern/core'

/** A WebAuthn credential, as Auth.js stores it. */
export interface Authenticator {
  userId: string
  credentialID: string
  /** The id of the account that Auth.js links with the credential. */
  providerAccountId: string
  credentialPublicKey: string
  /** The signature counter. */
  counter: number
  credentialDeviceType: string
  credentialBackedUp: boolean
  /** The transports, separated by commas. */
  transports?: string | null
}

/** The methods of Auth.js for WebAuthn. */
export interface AuthenticatorMethods {
  getAccount(providerAccountId: string, provider: string): Promise<AdapterAccount | null>
  createAuthenticator(authenticator: Authenticator): Promise<Authenticator>
  getAuthenticator(credentialID: string): Promise<Authenticator | null>
  listAuthenticatorsByUserId(userId: string): Promise<Authenticator[]>
  /** @throws Error if there is no such authenticator. */
  updateAuthenticatorCounter(credentialID: string, newCounter: number): Promise<Authenticator>
}

type FactorAdapter = Required<
  Pick<Adapter, 'createFactor' | 'getAccounts' | 'getFactor' | 'getUserByAccount' | 'listFactors' | 'updateFactor'>
>

/** The type of the factors that are authenticators of Auth.js. The data of Postern's own factors is encrypted. */
const type = 'authenticator'

/** The methods of Auth.js for WebAuthn, which store authenticators as factors. */
export function authenticatorMethods(adapter: FactorAdapter): AuthenticatorMethods {
  return {
    getAccount: async (providerAccountId, provider) => {
      const user = await adapter.getUserByAccount({ provider, providerAccountId })
      const accounts = user ? await adapter.getAccounts(user.id) : []
      const isKey = (account: AdapterAccount): boolean =>
        account.provider === provider && account.providerAccountId === providerAccountId
      return accounts.find(isKey) ?? null
    },
    createAuthenticator: async (authenticator) => {
      await adapter.createFactor(toFactor(authenticator))
      return authenticator
    },
    getAuthenticator: async (credentialID) => {
      const factor = await adapter.getFactor({ type, id: credentialID })
      return factor ? toAuthenticator(factor) : null
    },
    listAuthenticatorsByUserId: async (userId) => (await adapter.listFactors(userId, type)).map(toAuthenticator),
    updateAuthenticatorCounter: (credentialID, newCounter) => updateCounter(adapter, credentialID, newCounter)
  }
}

async function updateCounter(adapter: FactorAdapter, credentialID: string, counter: number): Promise<Authenticator> {
  for (;;) {
    const factor = await adapter.getFactor({ type, id: credentialID })
    if (!factor) throw new Error('updateAuthenticatorCounter: expected the id of a stored authenticator')
    const changed = { ...toAuthenticator(factor), counter }
    const { data } = toFactor(changed)
    if (await adapter.updateFactor({ ...factor, data, lastUsedAt: new Date() }, factor.version)) return changed
  }
}

function toFactor({ userId, credentialID, ...data }: Authenticator): Factor {
  return {
    type,
    id: credentialID,
    userId,
    name: null,
    data: JSON.stringify(data),
    createdAt: new Date(),
    lastUsedAt: null,
    version: 0
  }
}

function toAuthenticator({ userId, id, data }: Factor): Authenticator {
  const stored: Omit<Authenticator, 'userId' | 'credentialID'> = JSON.parse(data)
  return { ...stored, userId, credentialID: id }
}
