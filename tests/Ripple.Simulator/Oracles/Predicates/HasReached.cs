namespace Ripple.Simulator.Oracles.Predicates;

/// <summary>Whether a member has brought the release in question to a level.</summary>
internal delegate bool HasReached(PredicateMember member, NodeLevel level);
