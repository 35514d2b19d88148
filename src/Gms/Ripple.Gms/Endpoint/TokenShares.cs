using Ripple.Transports.Links;

namespace Ripple.Gms.Endpoint;

/// <summary>
/// The part that the links of one token have of the memory for long frames that come in: a quarter, so that frames which are begun and not
/// sent leave room for those of others. Holds an entry for each token with a link. Any thread.
/// </summary>
/// <param name="budget">The memory for all; null for no bound, and no parts.</param>
internal sealed class TokenShares(LinkBudget? budget)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, (LinkBudget Share, int Count)> _tokens = new(StringComparer.Ordinal);

    /// <summary>Tokens with a link.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _tokens.Count;
            }
        }
    }

    /// <summary>The part of a token, for one more link; null for none.</summary>
    public LinkBudget? Open(string tokenId)
    {
        if (budget is null)
        {
            return null;
        }

        lock (_lock)
        {
            (LinkBudget Share, int Count) of = _tokens.GetValueOrDefault(tokenId);
            of = (of.Share ?? new LinkBudget(Math.Max(LinkBudget.BytesMin, budget.BytesMax / 4)), of.Count + 1);
            _tokens[tokenId] = of;
            return of.Share;
        }
    }

    /// <summary>A link that was opened is gone.</summary>
    public void Close(string tokenId)
    {
        lock (_lock)
        {
            if (_tokens.TryGetValue(tokenId, out (LinkBudget Share, int Count) of))
            {
                if (of.Count == 1)
                {
                    _tokens.Remove(tokenId);
                }
                else
                {
                    _tokens[tokenId] = (of.Share, of.Count - 1);
                }
            }
        }
    }
}
