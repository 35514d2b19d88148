namespace Ripple.Testing.Adversary;

/// <summary>One kind of forgery.</summary>
internal interface IForgery
{
    /// <summary>Its name in counts and messages.</summary>
    string Name { get; }

    /// <summary>The share of runs that have it. Some are rare, so that the others have runs of their own.</summary>
    double Share { get; }

    /// <summary>
    /// The seeds that have it whatever the chance, as a remainder by <see cref="Kinds.ForgeryKinds.TurnSeeds"/>; null (the default) for
    /// none. Each rare kind has one, so that it is in any so many seeds in a row.
    /// </summary>
    int? Turn => null;

    /// <summary>Forges once: one datagram, or a few that belong together. May do nothing while the attacker lacks what it takes.</summary>
    void Forge(Attacker attacker);
}
