import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FeatureContext } from '@postern/core/feature'
import { getHashQueues, type HashClient, type HashQueues } from './hash-queue.ts'
import { areAccepted, type KeyDerivation, nativeArgon2, nodeScrypt, packageArgon2 } from './key-derivation.ts'
import { formatPhcString, type PhcString, parsePhcString } from './phc-string.ts'

/** Compares a password with a hash that another program made. */
export type VerifyLegacy = (hash: string, password: string) => boolean | Promise<boolean>

/** The functions that hashes are made with: the first one makes new hashes. */
export type KeyDerivations = readonly [KeyDerivation, ...KeyDerivation[]]

/** A password as it is hashed, and as it was typed. */
export interface TypedPassword {
  readonly normalized: string
  readonly typed: string
}

/** The result of a comparison. */
export interface Comparison {
  readonly isRight: boolean
  /** Whether the hash should be replaced, because it was made with other parameters or by another program. */
  readonly isOutdated: boolean
}

const saltLength = 16
const hashLength = 32

/** Hashes passwords, and compares them with hashes. */
export class PasswordHasher {
  readonly #derivations: KeyDerivations
  readonly #queues: HashQueues
  readonly #verifyLegacy: VerifyLegacy | null
  /** Never the hash of a password: users who do not exist cost as much as others. */
  readonly #nobody: string

  constructor(derivations: KeyDerivations, queues: HashQueues, verifyLegacy: VerifyLegacy | null) {
    const [{ id, parameters }] = derivations
    this.#derivations = derivations
    this.#queues = queues
    this.#verifyLegacy = verifyLegacy
    this.#nobody = formatPhcString({ id, parameters, salt: randomBytes(saltLength), hash: randomBytes(hashLength) })
  }

  /** @throws AuthError `StoreUnavailable` if too many passwords are being hashed. */
  async hash(password: string, client: HashClient): Promise<string> {
    const [{ id, parameters, derive }] = this.#derivations
    const salt = randomBytes(saltLength)
    const hash = await this.#queues.hashes.run(
      () => derive(Buffer.from(password), salt, { parameters, length: hashLength }),
      client
    )
    return formatPhcString({ id, parameters, salt, hash })
  }

  /**
   * @param stored - The hash; `null` if there is none, which takes as long.
   * @throws AuthError `StoreUnavailable` if too many passwords are being hashed.
   */
  async compare(password: TypedPassword, stored: string | null, client: HashClient): Promise<Comparison> {
    const text = stored ?? this.#nobody
    const parsed = parseHash(text)
    const derivation = parsed && this.#derivations.find(({ id }) => id === parsed.id)
    if (!parsed || !derivation) return this.#compareLegacy(password, text, client)
    const { parameters, salt, hash } = parsed
    const made = await this.#queues.hashes.run(
      () => derivation.derive(Buffer.from(password.normalized), salt, { parameters, length: hash.length }),
      client
    )
    const isOutdated = derivation !== this.#derivations[0] || !isSame(parameters, derivation.parameters)
    return { isRight: stored !== null && timingSafeEqual(made, hash), isOutdated }
  }

  /** A wrong password also costs a hash, as it does for other users. The right one is hashed when it is replaced. */
  async #compareLegacy({ normalized, typed }: TypedPassword, stored: string, client: HashClient): Promise<Comparison> {
    const verify = this.#verifyLegacy
    let isRight = false
    try {
      isRight =
        verify !== null && (await this.#queues.comparisons.run(async () => verify(stored, typed), client)) === true
    } finally {
      if (!isRight) await this.hash(normalized, client)
    }
    return { isRight, isOutdated: true }
  }
}

/** @returns `null` if only `verifyLegacy` may be able to compare it. */
function parseHash(text: string): PhcString | null {
  const parsed = parsePhcString(text)
  return parsed && areAccepted(parsed.id, parsed.parameters) ? parsed : null
}

/** Whether a hash looks like one of this class, and cannot be compared. */
export function isMalformed(text: string): boolean {
  return /^\$(?:argon2id|scrypt)\$/.test(text) && parseHash(text) === null
}

function isSame(one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>): boolean {
  const names = Object.keys(other)
  return names.length === Object.keys(one).length && names.every((name) => one[name] === other[name])
}

/** The functions that this process has, the best first. @param onFallback - Called if there is no Argon2. */
async function findDerivations(onFallback: () => void): Promise<KeyDerivations> {
  const argon2 = nativeArgon2() ?? (await packageArgon2())
  if (argon2) return [argon2, nodeScrypt()]
  onFallback()
  return [nodeScrypt()]
}

/** Creates the hasher of a registration on first use: a fallback is logged once. @param hashed - What is hashed. */
export function createGetHasher(
  hashed: 'passwords' | 'recovery codes',
  verifyLegacy: VerifyLegacy | null,
  context: FeatureContext
): () => Promise<PasswordHasher> {
  const code = hashed === 'passwords' ? 'PASSWORD_HASH_FALLBACK' : 'RECOVERY_CODE_HASH_FALLBACK'
  const advice = 'use Node 24.7 or later, or install @node-rs/argon2'
  const message = `${hashed} are hashed with scrypt, which takes 128 MiB; ${advice}`
  let hasher: Promise<PasswordHasher> | null = null
  return () => {
    hasher ??= createPasswordHasher(verifyLegacy, () => context.logger.warn(code, { message }))
    return hasher
  }
}

/** Creates the hasher of a registration. All registrations of the process share the threads and the queues. */
export async function createPasswordHasher(
  verifyLegacy: VerifyLegacy | null,
  onFallback: () => void
): Promise<PasswordHasher> {
  const derivations = await findDerivations(onFallback)
  const queues = getHashQueues(derivations[0])
  return new PasswordHasher(derivations, queues, verifyLegacy)
}
