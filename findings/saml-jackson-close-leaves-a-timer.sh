#!/usr/bin/env bash
# @boxyhq/saml-jackson 26.2.0 keeps the process running after close().
#
# The package has close() for applications that embed it. One starts it with the store in memory, as its documents describe it,
# and closes it again. It begins a timer of one day for its traces when it starts, which close() does not end. The option
# ssoTraces.disable does not prevent the timer. Therefore, a program or a test that embeds the package has to end its own process.
#
# Seen: close() ends the timer of db/db.js. That of sso-traces/index.js is still active, and the program below, which has nothing
# else to do, is still running after 20 seconds.
# Needs Node 20 or later, npm and the npm registry (250 MB). Fails if the behavior has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts @boxyhq/saml-jackson@26.2.0

cat >run.js <<'JS'
const { setInterval: start } = globalThis
const timers = []
globalThis.setInterval = (...given) => {
  const timer = start(...given)
  const [, module] = /saml-jackson[/]dist[/](\S+?):/.exec(new Error().stack) ?? []
  timers.push({ timer, module, seconds: given[1] / 1000 })
  return timer
}
const { controllers } = require('@boxyhq/saml-jackson')

async function main() {
  const jackson = await controllers({
    externalUrl: 'http://localhost:5225',
    samlPath: '/saml',
    samlAudience: 'https://saml.example.com',
    db: { engine: 'mem' },
    noAnalytics: true,
    ssoTraces: { disable: true }
  })
  await jackson.close()
  for (const { timer, module, seconds } of timers)
    console.log(`${module}: every ${seconds} s, ${timer._destroyed ? 'ended' : 'still active'}`)
}
main()
JS
# 124 is what timeout returns for a program that it had to stop.
status=0
timeout 20 node run.js | tee out.log || status=${PIPESTATUS[0]}
echo "the program ended with ${status}"
grep -qx 'db/db.js: every 30 s, ended' out.log
grep -qx 'sso-traces/index.js: every 86400 s, still active' out.log
[ "$status" = 124 ]
