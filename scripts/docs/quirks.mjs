import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The groups of quirks, in the order of the page. */
const titles = {
  grantOver: 'the end of a grant',
  canceled: 'a user who cancels',
  endSession: 'the sign-out',
  regions: 'regions',
  clouds: 'clouds'
}

const head = `
## Where providers differ

- **The end of a grant**: \`getAccessToken\` throws \`GRANT_ENDED\` if the token endpoint refuses the refresh token with \`invalid_grant\`,
  or with a status of 4xx and an error that names neither the client nor a limit. The modules know codes of their own.
- **Canceling**: \`access_denied\`, or what the table has, is a canceled sign-in and not an error.
- **Signing out**: Cognito and older tenants of Auth0 have parameters of their own. Register \`<base>/signout\` as the sign-out URL. They
  return the user without \`state\`, so that the front page follows, and not the \`callbackUrl\`.
- **Microsoft**: \`issuer\` may be in the cloud of the US Government (\`https://login.microsoftonline.us/<tenant>/v2.0\`), of China
  (\`https://login.partner.microsoftonline.cn/<tenant>/v2.0\`), or an external tenant
  (\`https://<name>.ciamlogin.com/<name>.onmicrosoft.com/v2.0\`). The picture comes from Microsoft Graph of the same cloud; no other
  cloud receives the token.
- **Zoho**: the callback names the data center of the user. Only those of the module are accepted. Account ids outside the United
  States begin with it (\`eu:\`). Enable the data centers for your client, with the same credentials.
- **Userinfo**: if the ID Token names the user, and userinfo refuses to complete the profile, the sign-in continues and the log has
  the warning \`USERINFO_REFUSED\`. Microsoft refuses userinfo if the scope is for an API of your own.
- **Errors**: the log has what a server says of a failure, in quotes; no page has it. What came through the browser is marked.

| Concerns | Provider | What differs | Source | Date |
| --- | --- | --- | --- | --- |
`

/** @returns The section about what providers do in another way than the specifications. */
export function quirksSection(root) {
  const quirks = JSON.parse(readFileSync(join(root, 'packages/core/test/fixtures/provider-quirks.json'), 'utf8'))
  const rows = Object.entries(titles).flatMap(([name, title]) =>
    quirks[name]
      .filter(({ provider }) => provider !== 'any')
      .map(({ provider, quirk, source, date }) => `| ${title} | \`${provider}\` | ${quirk} | <${source}> | ${date} |\n`)
  )
  return `${head}${rows.join('')}`
}
