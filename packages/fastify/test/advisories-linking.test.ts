import t from 'tap'
import { takeovers } from './advisories/account-takeover.ts'
import { adapterShapes } from './advisories/adapter-shapes.ts'
import { decisionsOverridden } from './advisories/decisions-overridden.ts'
import { forcedLinks } from './advisories/forced-links.ts'
import { linking } from './advisories/linking.ts'
import { claimsOutlasted } from './advisories/reclaims-outlasted.ts'
import { twoStrategies } from './advisories/two-strategies.ts'

// Attacks on what a user can sign in with, one after another.

for (const [id, attack, play] of [
  ...takeovers,
  ...linking,
  ...adapterShapes,
  ...twoStrategies,
  ...claimsOutlasted,
  ...decisionsOverridden,
  ...forcedLinks
])
  t.test(`${id} ${attack}`, play)
