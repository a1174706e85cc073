import { passkey } from '@postern/account/passkey'
import { password } from '@postern/account/password'
import { setCheapHashes } from './cheap-hashes.ts'
import { serveWithKills } from './killed-process.ts'

setCheapHashes()
await serveWithKills([password(), passkey()])
