import { redirect } from '../http/action-result.ts'
import { handlerOf } from '../sign-in-methods/handlers.ts'
import type { Run } from './row.ts'

/** Starts the way in that the path names; credentials start at the form. */
export const startSignIn: Run = async (request, config, provider) =>
  provider ? handlerOf(provider).start(provider, request, config) : redirect(`${config.base}/signin`)
