import type { Application } from '../tokens/application.ts'

/** An application whose default for unbound values depends on the other registrations of the process. */
class RegisteredApplication implements Application {
  readonly id: string
  readonly secrets: readonly string[]
  readonly #acceptUnbound: boolean | null
  acceptsUnbound: boolean

  constructor({ id, secrets, acceptUnbound }: ApplicationSettings) {
    this.id = id
    this.secrets = secrets
    this.#acceptUnbound = acceptUnbound
    this.acceptsUnbound = acceptUnbound ?? true
  }

  /** @param users - The ids of the applications that have a secret, this one among them. */
  update(users: ReadonlyMap<string, ReadonlySet<string>>): void {
    const isShared = (secret: string): boolean => (users.get(secret)?.size ?? 0) > 1
    this.acceptsUnbound = this.#acceptUnbound ?? !this.secrets.some(isShared)
  }
}

/** The settings of a registration's application. */
export interface ApplicationSettings {
  readonly id: string
  /** Every secret that the registration decrypts with, including those of JWT sessions. */
  readonly secrets: readonly string[]
  /** `null` means true as long as no other application of this process shares a secret. */
  readonly acceptUnbound: boolean | null
}

/** A live registration of an application. */
export interface Registration {
  readonly application: Application
  /** Removes the registration, which then no longer affects the default of others. */
  close(): void
}

/**
 * The registrations of this process. The references are weak, so a registration that is never closed can be collected.
 */
const registrations = new Set<WeakRef<RegisteredApplication>>()

function updateAll(): void {
  const live: RegisteredApplication[] = []
  for (const reference of registrations) {
    const application = reference.deref()
    if (application) live.push(application)
    else registrations.delete(reference)
  }
  const users = new Map<string, Set<string>>()
  for (const { id, secrets } of live)
    for (const secret of secrets) users.set(secret, (users.get(secret) ?? new Set()).add(id))
  for (const application of live) application.update(users)
}

/**
 * Registers an application. From then on, neither it nor an application with another id that shares a secret accepts
 * unbound values, unless the options of either allow it.
 */
export function registerApplication(settings: ApplicationSettings): Registration {
  const application = new RegisteredApplication(settings)
  const reference = new WeakRef(application)
  registrations.add(reference)
  updateAll()
  const close = (): void => {
    if (registrations.delete(reference)) updateAll()
  }
  return { application, close }
}
