using Ripple.Engine.Core;

namespace Ripple.Engine.Stack;

/// <summary>The feeds registered with one sink: by class, round-robin within a class.</summary>
internal sealed class FeedQueue
{
    private readonly Queue<IDatagramFeed>[] _byClass = new Queue<IDatagramFeed>[PacketLayout.ClassCount];

    public FeedQueue()
    {
        for (int i = 0; i < _byClass.Length; i++)
        {
            _byClass[i] = new Queue<IDatagramFeed>();
        }
    }

    public bool IsEmpty
    {
        get
        {
            foreach (Queue<IDatagramFeed> queue in _byClass)
            {
                if (queue.Count > 0)
                {
                    return false;
                }
            }

            return true;
        }
    }

    /// <summary>
    /// Adds a feed; false when it is already registered in the class. Sinks have few feeds: a scan is cheaper than a set.
    /// </summary>
    public bool Add(IDatagramFeed feed, PacketClass packetClass)
    {
        Queue<IDatagramFeed> queue = _byClass[(int)packetClass];
        if (queue.Contains(feed))
        {
            return false;
        }

        queue.Enqueue(feed);
        return true;
    }

    public void Remove(IDatagramFeed feed)
    {
        foreach (Queue<IDatagramFeed> queue in _byClass)
        {
            int count = queue.Count;
            for (int i = 0; i < count; i++)
            {
                IDatagramFeed other = queue.Dequeue();
                if (!ReferenceEquals(other, feed))
                {
                    queue.Enqueue(other);
                }
            }
        }
    }

    /// <summary>Pulls from the first feed that has something to send; feeds with nothing to send are removed.</summary>
    public bool TryPull(ref DatagramSlot slot)
    {
        foreach (Queue<IDatagramFeed> queue in _byClass)
        {
            while (queue.TryDequeue(out IDatagramFeed? feed))
            {
                // Queued again before the call: a feed that registers again from inside it must find itself registered.
                queue.Enqueue(feed);
                if (feed.TryPull(ref slot))
                {
                    return true;
                }

                Remove(feed, queue);
            }
        }

        return false;
    }

    private static void Remove(IDatagramFeed feed, Queue<IDatagramFeed> queue)
    {
        int count = queue.Count;
        for (int i = 0; i < count; i++)
        {
            IDatagramFeed other = queue.Dequeue();
            if (!ReferenceEquals(other, feed))
            {
                queue.Enqueue(other);
            }
        }
    }
}
