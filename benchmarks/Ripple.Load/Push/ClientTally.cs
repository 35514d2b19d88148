using System.Threading.Channels;
using Ripple.Load.Processes;

namespace Ripple.Load.Push;

/// <summary>One client process: asks it, and reads what it tells. One question at a time.</summary>
internal sealed class ClientTally(Child child)
{
    private readonly Channel<string[]> _answers = Channel.CreateUnbounded<string[]>();

    /// <summary>Asks for what it used and saw.</summary>
    public async Task<ClientSample> SampleAsync(string question = ClientSample.Question) => ClientSample.Read(await AskAsync(question));

    /// <summary>Asks, and waits for the answer, as words.</summary>
    public async Task<string[]> AskAsync(string question)
    {
        await child.SendAsync(question);
        try
        {
            return await _answers.Reader.ReadAsync();
        }
        catch (ChannelClosedException)
        {
            throw new InvalidOperationException("A client process ended too early. What it printed is above.");
        }
    }

    /// <summary>Reads until the process ends, and notes who has what.</summary>
    /// <param name="log">Of the application that is measured.</param>
    /// <param name="beside">Of the other application; null for none.</param>
    public async Task ReadAsync(PublishLog log, PublishLog? beside = null)
    {
        await foreach (string[] words in child.ReadAllAsync())
        {
            if ((words[0] == Arrivals.Word ? log : words[0] == Arrivals.WordBeside ? beside : null) is { } told)
            {
                long[] values = [.. words.Skip(1).Select(long.Parse)];
                told.Note((int)values[0], (ulong)values[1], values[2], values[3], (int)values[4]);
            }
            else
            {
                _answers.Writer.TryWrite(words);
            }
        }

        _answers.Writer.Complete();
    }
}
