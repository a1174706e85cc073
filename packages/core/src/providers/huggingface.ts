import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** Sign-in with Hugging Face. `clientId` and `clientSecret` default to `AUTH_HUGGINGFACE_ID` and `…_SECRET`. */
export default function huggingFace(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'huggingface',
    name: 'Hugging Face',
    type: 'oidc',
    issuer: 'https://huggingface.co',
    style: { bg: '#FFD21E', text: '#000' },
    options
  }
}
