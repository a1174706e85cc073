import type { OutboundCall } from '../model/provider.ts'
import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { mapJson } from './hooks/map-json.ts'

/** `scope` is the registered scope of the application. @defaultValue `vso.profile` */
export type AzureDevOpsOptions = OAuthOptions & { readonly scope?: string | undefined }

/** The fields of the Azure DevOps user profile that Postern reads. */
export interface AzureDevOpsProfile {
  readonly id: string
  readonly displayName: string
  readonly emailAddress: string
  readonly coreAttributes?: { readonly Avatar?: { readonly value?: { readonly value?: string } } }
}

/** Azure DevOps expects the code, or the refresh token, and the secret as assertions. */
function asAssertion(call: OutboundCall, secret: string | null): OutboundCall {
  const { authorization: _, ...headers } = call.headers
  const body = new URLSearchParams(call.body ?? '')
  const code = body.get('code')
  if (code) body.set('grant_type', 'urn:ietf:params:oauth:grant-type:jwt-bearer')
  body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
  body.set('client_assertion', secret ?? '')
  body.set('assertion', code ?? body.get('refresh_token') ?? '')
  body.delete('code')
  body.delete('refresh_token')
  return { ...call, headers, body: String(body) }
}

/** Sign-in with Azure DevOps. `clientId` and `clientSecret` default to `AUTH_AZURE_DEVOPS_ID` and `…_SECRET`. */
export default function azureDevOps({ scope = 'vso.profile', ...options }: AzureDevOpsOptions = {}): OAuthConfig {
  return {
    id: 'azure-devops',
    name: 'Azure DevOps',
    type: 'oauth',
    authorization: {
      url: 'https://app.vssps.visualstudio.com/oauth2/authorize',
      params: { response_type: 'Assertion', scope }
    },
    token: 'https://app.vssps.visualstudio.com/oauth2/token',
    userinfo: {
      url: 'https://app.vssps.visualstudio.com/_apis/profile/profiles/me',
      params: { details: 'true', coreAttributes: 'Avatar', 'api-version': '6.0' }
    },
    hooks: {
      tokenRequest: (call, { clientSecret }) => asAssertion(call, clientSecret),
      tokenResponse: (response) => mapJson(response, (fields) => ({ ...fields, token_type: 'bearer' }))
    },
    profile: ({ id, displayName, emailAddress, coreAttributes }: AzureDevOpsProfile) => {
      const avatar = coreAttributes?.Avatar?.value?.value
      const image = avatar ? `data:image/jpeg;base64,${avatar}` : null
      return { id, name: displayName, email: emailAddress, image }
    },
    options
  }
}
