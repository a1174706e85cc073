import type { Config } from '../config/config.ts'
import { canStepUp, type StepUp } from '../features/step-up.ts'
import type { AuthRequest } from '../http/request.ts'
import { confirmationProviderId } from '../model/confirmation-provider.ts'
import type { SignInOption, StepUpForms } from '../model/page.ts'
import type { Provider } from '../model/provider.ts'
import { signinUrlAt } from '../redirects/redirect-uri.ts'
import { findConfirmationAddress } from '../sign-in-methods/mailed-confirmation.ts'

/** The ways in which a user can authenticate again. */
export interface StepUpOptions {
  readonly choices: readonly SignInOption[]
  readonly mail: NonNullable<StepUpForms['mail']> | null
}

/** What a user has; `null` if it is unknown. */
interface Holdings {
  /** The ids of the providers of the accounts. */
  readonly accounts: ReadonlySet<string> | null
  /** The id of the provider of the session. */
  readonly sessionProvider: string | null
  /** Whether the user is stored, with an address that a mail finds. */
  readonly hasAddress: boolean
  readonly waysInOf: (methodId: string) => Promise<number | null>
}

/** Errors of the store leave open what the user has. */
const orUnknown = <T>(promise: Promise<T> | null | undefined): Promise<T | null> =>
  promise ? promise.catch(() => null) : Promise.resolve(null)

async function readHoldings(
  { userId }: StepUp,
  { cookies }: Pick<AuthRequest, 'cookies'>,
  { features, sessionReader, store }: Config
): Promise<Holdings> {
  const [accounts, authentication, user] = await Promise.all([
    orUnknown(store?.getAccounts?.(userId)),
    orUnknown(sessionReader.readAuthentication(cookies)),
    orUnknown(store?.getUser(userId))
  ])
  return {
    accounts: accounts && new Set(accounts.map(({ provider }) => provider)),
    sessionProvider: authentication?.provider?.id ?? null,
    hasAddress: Boolean(user?.email),
    waysInOf: (methodId) => orUnknown(features.waysInOf(methodId, userId))
  }
}

/** Whether the user can use a method: what is unknown is offered. */
async function isOwn(
  { id, traits: { accountPolicy } }: Provider,
  { accounts, sessionProvider, hasAddress, waysInOf }: Holdings,
  { isDatabaseSession, store }: Config
): Promise<boolean> {
  if (accountPolicy === 'mailbox') return hasAddress
  if (accountPolicy === 'stored') return (await waysInOf(id)) !== 0
  const isStored = store !== null && (accountPolicy === 'link' || isDatabaseSession)
  if (isStored) return accounts?.has(id) ?? true
  return sessionProvider === null || sessionProvider === id
}

/** Finds the ways to authenticate again that the user has, and that meet the requirements of a guard. */
export async function findStepUpOptions(
  stepUp: StepUp,
  request: Pick<AuthRequest, 'cookies'>,
  config: Config
): Promise<StepUpOptions> {
  const { signInOptions, providers, logger, basePath } = config
  const hasMailedCode = [...providers.values()].some(
    (provider) => provider.id === confirmationProviderId && canStepUp(provider, stepUp)
  )
  const address = hasMailedCode ? await orUnknown(findConfirmationAddress(stepUp, config)) : null
  const mail = address === null ? null : { action: signinUrlAt(basePath, confirmationProviderId), address }
  const holdings = await readHoldings(stepUp, request, config)
  const isUsable = async (id: string): Promise<boolean> => {
    const provider = providers.get(id)
    if (!provider || !canStepUp(provider, stepUp)) return false
    // The code replaces a sign-in by email, which would take over a user whose address is not verified.
    return !(mail !== null && provider.kind === 'email') && isOwn(provider, holdings, config)
  }
  const usable = await Promise.all(signInOptions.map(({ id }) => isUsable(id)))
  const choices = signInOptions.filter((_, at) => usable[at])
  if (choices.length === 0 && mail === null)
    logger.error('STEP_UP_ERROR', {
      message:
        'the user has no sign-in method that meets the requirements of the guard; add one, such as email, pass a mailer, or set assumeFresh for a provider'
    })
  return { choices, mail }
}
