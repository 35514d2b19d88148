using Ripple.Engine.Core;

namespace Ripple.Simulator.Checking;

/// <summary>Adds a part of the state to a hash, in the same order in every run.</summary>
internal delegate void StateContributor(ref StableHash hash);
