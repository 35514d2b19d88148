using Ripple.Gms.Store;

namespace Ripple.Gms;

/// <summary>
/// Who holds how much of something bounded: one token at most half, all tokens of one application together at most three quarters, so that
/// something is left for others whatever one of them does. Holds an entry for each owner that holds something. Not synchronized.
/// </summary>
/// <param name="max">The most that all hold.</param>
/// <param name="tokenMax">The most that one token holds; null for half of all.</param>
internal sealed class ShareLedger(long max, long? tokenMax = null)
{
    private readonly SortedDictionary<string, long> _byToken = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, long> _byApplication = new(StringComparer.Ordinal);

    /// <summary>The most that one token holds.</summary>
    public long TokenMax { get; } = tokenMax ?? HalfOf(max);

    /// <summary>The most that the tokens of one application hold.</summary>
    public long ApplicationMax { get; } = Math.Max(tokenMax ?? HalfOf(max), ThreeQuartersOf(max));

    /// <summary>What all hold.</summary>
    public long Sum { get; private set; }

    /// <summary>One token's part of a number: half, and 1 at least.</summary>
    public static long HalfOf(long all) => Math.Max(1, all / 2);

    /// <summary>The part of one application's tokens together: three quarters, and 1 at least.</summary>
    public static long ThreeQuartersOf(long all) => Math.Max(1, all - (all / 4));

    /// <summary>What a token holds.</summary>
    public long Of(string tokenId) => _byToken.GetValueOrDefault(tokenId);

    /// <summary>
    /// The first bound that stands against so much more; None if it may be taken. Who holds nothing may always take one thing that fits
    /// into what is left of all.
    /// </summary>
    public ShareBound Judge(ShareOwner owner, long amount)
    {
        long ofApplication = owner.Application is { } name ? _byApplication.GetValueOrDefault(name) : 0;
        return Sum + amount > max ? ShareBound.All
            : Of(owner.TokenId) is var ofToken && ofToken > 0 && ofToken + amount > TokenMax ? ShareBound.Token
            : ofApplication > 0 && ofApplication + amount > ApplicationMax ? ShareBound.Application
            : ShareBound.None;
    }

    /// <summary>Adds what was taken; a negative amount gives it back.</summary>
    public void Add(ShareOwner owner, long amount)
    {
        Sum += amount;
        Add(_byToken, owner.TokenId, amount);
        if (owner.Application is { } application)
        {
            Add(_byApplication, application, amount);
        }
    }

    private static void Add(SortedDictionary<string, long> held, string whose, long amount)
    {
        long now = held.GetValueOrDefault(whose) + amount;
        if (now > 0)
        {
            held[whose] = now;
        }
        else
        {
            held.Remove(whose);
        }
    }
}

/// <summary>
/// Who shares of what is bounded are counted for: a token, and the application whose tokens are counted together, because who administers
/// an application may make a thousand of them.
/// </summary>
/// <param name="TokenId">The token.</param>
/// <param name="Application">
/// The first application that the token names; empty for a token that names none, or is not known; null for one of all applications, which
/// only administrators of the cluster make: it is counted by itself.
/// </param>
internal readonly record struct ShareOwner(string TokenId, string? Application)
{
    /// <summary>A token that is not known here: all of these are counted together.</summary>
    public static ShareOwner Unknown(string tokenId) => new(tokenId, string.Empty);

    /// <summary>The owner of what is asked for by a token.</summary>
    public static ShareOwner Of(AccessToken token) => new(
        token.Id,
        token.Applications.Contains(AccessTokenGrant.All) ? null : token.Applications.Min(StringComparer.Ordinal) ?? string.Empty);
}

/// <summary>Which bound of a <see cref="ShareLedger"/> is reached.</summary>
internal enum ShareBound
{
    /// <summary>None.</summary>
    None,

    /// <summary>What one token may hold.</summary>
    Token,

    /// <summary>What the tokens of one application may hold together.</summary>
    Application,

    /// <summary>What all may hold.</summary>
    All,
}
