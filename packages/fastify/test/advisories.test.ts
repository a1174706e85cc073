import t from 'tap'
import { email } from './advisories/email.ts'
import { pages } from './advisories/pages.ts'
import { redirects } from './advisories/redirects.ts'
import { requests } from './advisories/requests.ts'
import { rules } from './advisories/rules.ts'
import { sessions } from './advisories/sessions.ts'
import { swap } from './advisories/swap.ts'

const replays = [...email, ...sessions, ...requests, ...redirects, ...pages, ...swap, ...rules]

for (const [id, attack, play] of replays) t.test(`${id} ${attack}`, play)

t.comment(`advisory replays: ${new Set(replays.map(([id]) => id)).size}`)
