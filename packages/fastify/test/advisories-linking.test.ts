import t from 'tap'
import { takeovers } from './advisories/account-takeover.ts'
import { claimOverlaps } from './advisories/claim-overlaps.ts'
import { claimRaces } from './advisories/claim-races.ts'
import { claimsOutlasted } from './advisories/claims-outlasted.ts'
import { claimsUnfinished } from './advisories/claims-unfinished.ts'
import { decisionsOverridden } from './advisories/decisions-overridden.ts'
import { forcedLinks } from './advisories/forced-links.ts'
import { linking } from './advisories/linking.ts'
import { linkingRaces } from './advisories/linking-races.ts'
import { twoStrategies } from './advisories/two-strategies.ts'

// Attacks that walk every interleaving of two requests take a while.

for (const [id, attack, play] of [
  ...takeovers,
  ...linking,
  ...linkingRaces,
  ...claimRaces,
  ...claimOverlaps,
  ...twoStrategies,
  ...claimsOutlasted,
  ...decisionsOverridden,
  ...claimsUnfinished,
  ...forcedLinks
])
  t.test(`${id} ${attack}`, play)
