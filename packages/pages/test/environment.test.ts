import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const program = `
const { renderer } = await import(${JSON.stringify(new URL('../src/index.js', import.meta.url).href)})
process.env.NODE_ENV = 'production'
const theme = { colorScheme: 'auto', logo: '', brandColor: '', buttonText: '', name: '', radius: '', font: '', links: { support: '' } }
const frame = { basePath: '/api/auth', origin: 'https://app.test', siteName: 'App', siteUrl: 'https://app.test', theme }
process.stdout.write(renderer.page({ name: 'welcome', user: 'Ada', callbackUrl: '/' }, frame))
`

t.test('a screen is drawn where NODE_ENV is set after the import, as an .env file does', async (t) => {
  const env = { PATH: process.env['PATH'] ?? '' }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    env,
    cwd: fileURLToPath(new URL('.', import.meta.url))
  })
  t.equal(status, 0, stderr)
  t.match(stdout, /Ada/)
})
