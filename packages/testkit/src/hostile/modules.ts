import { fapiModules } from './fapi-modules.ts'
import type { HostileModules } from './hostile-case.ts'
import { openidModules } from './openid-modules.ts'
import { answerModules } from './own-answer-modules.ts'
import { callbackModules } from './own-callback-modules.ts'
import { claimModules } from './own-claim-modules.ts'
import { keyModules } from './own-key-modules.ts'

/** Everything that a provider can be told to do wrong, by module; a few are right, and rare. */
export const hostileModules: HostileModules = {
  ...openidModules,
  ...fapiModules,
  ...claimModules,
  ...callbackModules,
  ...answerModules,
  ...keyModules
}
