import { accountMutations } from './accounts.mjs'
import { browserMutations } from './browser.mjs'
import { limitMutations } from './limits.mjs'
import { mailMutations } from './mail.mjs'
import { protocolMutations } from './protocol.mjs'
import { secretMutations } from './secrets.mjs'

/**
 * Changes of the source that each break a rule of `docs/security.md`: a text that occurs once in a file of `packages`, and what
 * replaces it. `also` has further changes, for a rule that is kept in several places. `only` is a pattern of the names of the tests
 * that run, for a rule whose tests are repeated on many stores; it is the same for all mutations of the rule.
 *
 * @typedef {{ file: string, find: string, replace: string }} Change
 * @type {readonly (Change & {
 *   rule: string, breaks: string, also?: readonly Change[], only?: string
 * })[]}
 */
export const mutations = [
  ...protocolMutations,
  ...mailMutations,
  ...browserMutations,
  ...secretMutations,
  ...limitMutations,
  ...accountMutations
]
