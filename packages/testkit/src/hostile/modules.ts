import { fapiModules } from './fapi-modules.ts'
import type { HostileModules } from './hostile-case.ts'
import { openidModules } from './openid-modules.ts'
import { answerModules } from './own-answer-modules.ts'
import { callbackModules } from './own-callback-modules.ts'
import { claimModules } from './own-claim-modules.ts'
import { keyModules } from './own-key-modules.ts'

/** All provider faults, by module; a few are valid but rare behavior. */
export const hostileModules: HostileModules = {
  ...openidModules,
  ...fapiModules,
  ...claimModules,
  ...callbackModules,
  ...answerModules,
  ...keyModules
}
