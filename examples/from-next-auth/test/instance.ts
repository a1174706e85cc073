// One process of the application where it runs in several: they have the secret in common, and nothing else.
import { serve } from 'cluster/serve'
import { buildApp } from '../src/main.ts'

await serve(await buildApp(process.env))
