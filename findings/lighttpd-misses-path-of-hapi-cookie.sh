#!/usr/bin/env bash
# lighttpd 1.4.69 (Debian) does not map the Path of a cookie that @hapi/hapi 21.4.10 sets without SameSite.
#
# lighttpd serves an application below /app with proxy.header and map-urlpath, which also map the Path of Set-Cookie. A cookie of the
# path /auth should thus arrive with /app/auth, in whatever order its attributes are: RFC 6265, section 4.1.1, allows any, and section
# 5.2 reads each up to its own semicolon. lighttpd reads a name up to the next equals sign instead, so that Secure or HttpOnly takes
# the attribute behind it along. hapi writes those two first, then SameSite, and the path last. With SameSite, it is that attribute
# which is lost, to no harm. With isSameSite: false, it is the path: the browser keeps the cookie for /auth, does not send it to
# /app/auth, and the sign-in that began with it cannot end. Those of @fastify/cookie 11 have the path
# before HttpOnly and Secure, as has the third one here.
#
# Seen: /app/auth for the cookie with SameSite, /auth for that without, and /app/auth for the same attributes with the path first.
# Needs Node 20 or later, npm and the npm registry, curl, and Debian's lighttpd. Fails if the behavior has changed.
set -euo pipefail

PATH=$PATH:/usr/sbin
folder=$(mktemp -d)
started=()
trap 'for id in "${started[@]}"; do kill "$id" || true; done; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts @hapi/hapi@21.4.10

cat >run.js <<'JS'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import Hapi from '@hapi/hapi'

const app = Hapi.server({ host: '127.0.0.1', port: 0 })
app.state('with', { path: '/auth', isSameSite: 'Lax' })
app.state('without', { path: '/auth', isSameSite: false })
const pathFirst = 'first=1; Path=/auth; Secure; HttpOnly'
const handler = (_, h) => h.response('page').state('with', '1').state('without', '1').header('set-cookie', pathFirst)
app.route({ method: 'GET', path: '/auth', handler })
await app.start()

const free = createServer().listen(0, '127.0.0.1')
await new Promise((resolve) => free.once('listening', resolve))
const { port } = free.address()
await new Promise((resolve) => free.close(resolve))
const config = `
server.modules = ("mod_proxy")
server.document-root = "${process.cwd()}"
server.bind = "127.0.0.1"
server.port = ${port}
proxy.server = ("/app/" => (("host" => "127.0.0.1", "port" => ${app.info.port})))
proxy.header = ("map-urlpath" => ("/app/" => "/"))
`
writeFileSync('lighttpd.conf', config)
writeFileSync('ports', `${app.info.port} ${port}\n`)
JS
node run.js &
started+=($!)
for _ in {1..100}; do [ -s ports ] && break; sleep 0.1; done
read -r direct proxied <ports
lighttpd -D -f lighttpd.conf 2>lighttpd.log &
started+=($!)
for _ in {1..100}; do curl -s -o page "http://127.0.0.1:$proxied/app/auth" && break; sleep 0.1; done

lighttpd -v | head -n 1
cookies() { curl -s -D - -o page "$1" | tr -d '\r' | sed -n 's/^set-cookie: //ip' | sort; }
echo 'hapi:'
cookies "http://127.0.0.1:$direct/auth" | tee before
echo 'lighttpd:'
cookies "http://127.0.0.1:$proxied/app/auth" | tee after

diff before - <<'END'
first=1; Path=/auth; Secure; HttpOnly
with=1; Secure; HttpOnly; SameSite=Lax; Path=/auth
without=1; Secure; HttpOnly; Path=/auth
END
diff after - <<'END'
first=1; Path=/app/auth; Secure; HttpOnly
with=1; Secure; HttpOnly; SameSite=Lax; Path=/app/auth
without=1; Secure; HttpOnly; Path=/auth
END
