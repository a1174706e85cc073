import t from 'tap'
import { accountIds } from './advisories/account-ids.ts'
import { accountLookup } from './advisories/account-lookup.ts'
import { applications } from './advisories/applications.ts'
import { authorizationParams } from './advisories/authorization-params.ts'
import { discovery } from './advisories/discovery.ts'
import { email } from './advisories/email.ts'
import { guards } from './advisories/guards.ts'
import { origins } from './advisories/origin.ts'
import { pages } from './advisories/pages.ts'
import { passwordLimits } from './advisories/password-limits.ts'
import { perimeter } from './advisories/perimeter.ts'
import { redirects } from './advisories/redirects.ts'
import { requests } from './advisories/requests.ts'
import { rules } from './advisories/rules.ts'
import { sessions } from './advisories/sessions.ts'
import { swap } from './advisories/swap.ts'
import { tokens } from './advisories/tokens.ts'

const replays = [
  ...email,
  ...sessions,
  ...requests,
  ...redirects,
  ...pages,
  ...swap,
  ...rules,
  ...accountIds,
  ...accountLookup,
  ...applications,
  ...authorizationParams,
  ...discovery,
  ...guards,
  ...origins,
  ...passwordLimits,
  ...perimeter,
  ...tokens
]

for (const [id, attack, play] of replays) t.test(`${id} ${attack}`, play)

t.comment(`advisory replays: ${new Set(replays.map(([id]) => id)).size}`)
