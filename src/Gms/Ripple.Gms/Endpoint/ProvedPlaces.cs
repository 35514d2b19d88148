namespace Ripple.Gms.Endpoint;

/// <summary>
/// Places for connections whose callers showed a good token, counted by token and by application (<see cref="ShareLedger"/>). Whoever comes
/// when a bound is reached takes the place of the longest idle one under that bound, of the token with the most; a connection with a
/// request under way gives way only to an administrator of the cluster, who thus always finds a place. Any thread.
/// </summary>
/// <param name="max">The most places.</param>
internal sealed class ProvedPlaces(int max)
{
    private readonly Lock _lock = new();
    private readonly ShareLedger _shares = new(max);

    // In the order in which they became idle or busy: the longest idle one is the first idle one.
    private readonly LinkedList<Place> _places = [];

    /// <summary>Places taken.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _places.Count;
            }
        }
    }

    /// <summary>Takes a place, with a request under way; null when none is free and nobody has to give way.</summary>
    /// <param name="owner">The caller of the first good request.</param>
    /// <param name="isAdministrator">True for an administrator of the cluster.</param>
    /// <param name="giveWay">Called, on any thread, if its holder is pushed out.</param>
    public Place? TryTake(ShareOwner owner, bool isAdministrator, Action giveWay)
    {
        Place? pushedOut = null;
        Place place;
        lock (_lock)
        {
            if (_shares.Judge(owner, 1) is var bound && bound != ShareBound.None)
            {
                pushedOut = WhoGivesWay(bound, owner, isAdministrator);
                if (pushedOut is null)
                {
                    return null;
                }

                pushedOut.Remove();
            }

            place = new Place(this, owner, isAdministrator, giveWay);
            _shares.Add(owner, 1);
        }

        pushedOut?.GiveWay();
        return place;
    }

    private Place? WhoGivesWay(ShareBound bound, ShareOwner owner, bool isAdministrator) => _places
        .Where(p => bound switch
        {
            ShareBound.Token => p.Owner.TokenId == owner.TokenId,
            ShareBound.Application => p.Owner.Application == owner.Application,
            // Administrators give way to each other, and to nobody else.
            _ => isAdministrator || !p.IsAdministrator,
        })
        .Where(p => isAdministrator || p.IsIdle)
        .MaxBy(p => (p.IsIdle, !p.IsAdministrator, _shares.Of(p.Owner.TokenId)));

    /// <summary>A place, until it is given back or its holder is pushed out.</summary>
    internal sealed class Place : IDisposable
    {
        private readonly ProvedPlaces _places;
        private readonly Action _giveWay;
        private readonly LinkedListNode<Place> _node;
        private int _requestCount = 1;

        internal Place(ProvedPlaces places, ShareOwner owner, bool isAdministrator, Action giveWay)
        {
            _places = places;
            Owner = owner;
            IsAdministrator = isAdministrator;
            _giveWay = giveWay;
            _node = places._places.AddLast(this);
        }

        internal ShareOwner Owner { get; }

        internal bool IsAdministrator { get; }

        internal bool IsIdle => _requestCount == 0;

        /// <summary>A further request begins on its connection.</summary>
        public void Begin() => Count(1);

        /// <summary>A request on its connection has ended.</summary>
        public void End() => Count(-1);

        /// <summary>Gives the place back.</summary>
        public void Dispose()
        {
            lock (_places._lock)
            {
                Remove();
            }
        }

        internal void GiveWay() => _giveWay();

        internal void Remove()
        {
            if (_node.List is { } list)
            {
                list.Remove(_node);
                _places._shares.Add(Owner, -1);
            }
        }

        private void Count(int change)
        {
            lock (_places._lock)
            {
                _requestCount += change;
                if (_node.List is { } list)
                {
                    list.Remove(_node);
                    list.AddLast(_node);
                }
            }
        }
    }
}
