import t from 'tap'
import { testServerRendering } from './server-rendering.tsx'

testServerRendering(t, '19')
