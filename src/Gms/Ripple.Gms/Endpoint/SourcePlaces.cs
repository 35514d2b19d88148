namespace Ripple.Gms.Endpoint;

/// <summary>
/// Places for connections of which nothing is known yet. When all are taken, the oldest of the source with the most gives way, at the site
/// with the most (<see cref="SourceAddress.Site"/>): those that have said nothing first. So whoever opens many pushes out his own, from
/// however many addresses of his network, and others find a place. Any thread.
/// </summary>
/// <param name="max">The most places.</param>
/// <param name="silentPerSourceMax">The most places of one source whose holders have said nothing.</param>
internal sealed class SourcePlaces(int max, int silentPerSourceMax)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<SourceAddress, Source> _sources = [];
    private int _count;

    /// <summary>Places taken.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _count;
            }
        }
    }

    /// <summary>Whether a place for one more from there is another's until then.</summary>
    public bool IsCrowd(SourceAddress address)
    {
        lock (_lock)
        {
            return _count >= max || (_sources.TryGetValue(address, out Source? own) && own.Silent.Count >= silentPerSourceMax);
        }
    }

    /// <summary>Takes a place; <paramref name="giveWay"/> is called, on any thread, if its holder is pushed out.</summary>
    public Place Take(SourceAddress address, Action giveWay)
    {
        Place? pushedOut = null;
        Place place;
        lock (_lock)
        {
            if (_sources.TryGetValue(address, out Source? own) && own.Silent.Count >= silentPerSourceMax)
            {
                pushedOut = own.Silent.First!.Value;
            }
            else if (_count >= max)
            {
                pushedOut = Largest(s => s.Silent) ?? Largest(s => s.Greeted);
            }

            pushedOut?.Remove();
            if (!_sources.TryGetValue(address, out own))
            {
                own = new Source(address);
                _sources.Add(address, own);
            }

            place = new Place(this, own, giveWay);
            _count++;
        }

        pushedOut?.GiveWay();
        return place;
    }

    private Place? Largest(Func<Source, LinkedList<Place>> places)
    {
        IGrouping<SourceAddress, Source>? site = _sources.Values
            .Where(s => places(s).Count > 0)
            .GroupBy(s => s.Address.Site)
            .MaxBy(g => g.Sum(s => places(s).Count));
        return site?.MaxBy(s => places(s).Count) is { } source ? places(source).First?.Value : null;
    }

    /// <summary>A place, until it is given back or its holder is pushed out.</summary>
    internal sealed class Place : IDisposable
    {
        private readonly SourcePlaces _places;
        private readonly Source _source;
        private readonly Action _giveWay;
        private readonly LinkedListNode<Place> _node;

        internal Place(SourcePlaces places, Source source, Action giveWay)
        {
            _places = places;
            _source = source;
            _giveWay = giveWay;
            _node = source.Silent.AddLast(this);
        }

        /// <summary>Its holder has said something sensible: others go before it.</summary>
        public void Greet()
        {
            lock (_places._lock)
            {
                if (_node.List == _source.Silent)
                {
                    _source.Silent.Remove(_node);
                    _source.Greeted.AddLast(_node);
                }
            }
        }

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
            if (_node.List is not { } list)
            {
                return;
            }

            list.Remove(_node);
            _places._count--;
            if (_source.Silent.Count == 0 && _source.Greeted.Count == 0)
            {
                _places._sources.Remove(_source.Address);
            }
        }
    }

    internal sealed class Source(SourceAddress address)
    {
        public SourceAddress Address { get; } = address;

        public LinkedList<Place> Silent { get; } = [];

        public LinkedList<Place> Greeted { get; } = [];
    }
}
