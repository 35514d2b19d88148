using Ripple.Client;
using Ripple.Load.Events;

namespace Ripple.Load.Tests.Events;

/// <summary>What the judge of events must find, each planted into books as processes write them.</summary>
public sealed class EventsJudgeTests : IDisposable
{
    private const int Events = 6;
    private const int Boxes = 200;
    private static readonly int[] Expected = [0, 63, 64, 130, 199];
    private readonly string _directory = Directory.CreateTempSubdirectory("ripple-load-tests-").FullName;
    private readonly List<IDisposable> _books = [];
    private readonly ToldBook _told;
    private readonly ShownBook _first;
    private readonly ShownBook _second;

    public EventsJudgeTests()
    {
        _books.Add(_told = new ToldBook(Path.Combine(_directory, "told"), Events));
        _first = Open("first");
        _second = Open("second");
    }

    [Fact]
    public void Nothing_is_wrong_when_all_that_is_accepted_is_shown_to_all_that_have_it()
    {
        Accept(Events);
        ShowAll(Events);

        EventsVerdict verdict = Judge();

        Assert.True(verdict.IsWell);
        Assert.Equal((0, 0), (verdict.Again, verdict.Dropped));
    }

    [Fact]
    public void An_accepted_event_that_a_box_was_not_shown_is_lost()
    {
        Accept(Events);
        ShowAll(Events - 1);
        Show(_first, Events - 1, Expected[0], Expected[1]);
        Show(_second, Events - 1, Expected[3], Expected[4]);

        EventsVerdict verdict = Judge();

        Assert.Equal(1, verdict.Lost);
        Assert.False(verdict.IsWell);
    }

    [Fact]
    public void An_event_that_a_process_shows_a_box_again_is_twice()
    {
        Accept(Events);
        ShowAll(Events);
        Show(_second, 2, Expected[4]);

        EventsVerdict verdict = Judge();

        Assert.Equal((1, 0), (verdict.Twice, verdict.Again));
        Assert.False(verdict.IsWell);
    }

    [Fact]
    public void An_event_that_a_box_does_not_have_or_nobody_emitted_is_strange()
    {
        Accept(Events - 1);
        ShowAll(Events - 1);
        Show(_first, 0, 1);
        Show(_second, Events - 1, Expected[4]);

        EventsVerdict verdict = Judge();

        Assert.Equal((2, 0), (verdict.Strange, verdict.Lost));
        Assert.False(verdict.IsWell);
    }

    [Fact]
    public void What_nobody_was_told_is_accepted_is_shown_to_all_or_to_none()
    {
        Accept(Events - 2);
        ShowAll(Events - 2);
        _told.NoteBegun(Events - 2);
        _told.NoteBegun(Events - 1);

        Assert.True(Judge().IsWell);

        Show(_first, Events - 1, Expected[0], Expected[1], Expected[2]);
        Assert.Equal((2, 0), (Judge().Partial, Judge().Lost));
        Assert.False(Judge().IsWell);

        Show(_second, Events - 1, Expected[3], Expected[4]);
        Assert.True(Judge().IsWell);
    }

    [Fact]
    public void A_killed_process_and_the_one_in_its_place_are_asked_for_their_own_part()
    {
        Accept(Events);
        ShowAll(2);
        ShownBook third = Open("third");
        ShowFrom(_first, 2, Expected[..3]);
        ShowFrom(third, 4, Expected[3..]);
        Show(third, 1, Expected[3]);
        Witness[] witnesses =
        [
            Of(_first, 0, 100),
            new(_second, 100, 100, number => number < 2, IsLasting: false),
            new(third, 100, 100, number => number >= 4, IsLasting: false),
        ];

        EventsVerdict verdict = Judge(witnesses);

        Assert.True(verdict.IsWell);
        Assert.Equal(1, verdict.Again);
        Assert.Equal(2, Judge([witnesses[0], witnesses[1], witnesses[2] with { Must = number => number >= 3 }]).Lost);
        Assert.Equal(2, Judge([witnesses[0], witnesses[1] with { Must = number => number < 3 }, witnesses[2]]).Lost);
    }

    [Fact]
    public void A_book_is_read_as_another_process_left_it()
    {
        Show(_first, 3, 77);
        _first.Note(4, 78, 5);
        _first.Note(-1, 79, 0);

        ShownBook same = Open("first");

        Assert.True(same.Has(3, 77));
        Assert.False(same.Has(3, 78));
        Assert.Equal((2, 5, 0), (same.Shown, same.Dropped, same.Twice));
    }

    public void Dispose()
    {
        _books.ForEach(b => b.Dispose());
        Directory.Delete(_directory, recursive: true);
    }

    private ShownBook Open(string name)
    {
        var book = new ShownBook(Path.Combine(_directory, name), Events, Boxes);
        _books.Add(book);
        return book;
    }

    private void Accept(int count)
    {
        for (int number = 0; number < count; number++)
        {
            _told.NoteBegun(number);
            _told.Note(number, EmitUntil.Accepted);
        }
    }

    private void ShowAll(int count)
    {
        for (int number = 0; number < count; number++)
        {
            Show(_first, number, Expected[..3]);
            Show(_second, number, Expected[3..]);
        }
    }

    private static void Show(ShownBook book, int number, params int[] boxes) => Array.ForEach(boxes, b => book.Note(number, b, 0));

    private static void ShowFrom(ShownBook book, int from, int[] boxes)
    {
        for (int number = from; number < Events; number++)
        {
            Show(book, number, boxes);
        }
    }

    private Witness Of(ShownBook book, int firstBox, int boxes) =>
        new(book, firstBox, boxes, number => _told.Is(number, EmitUntil.Accepted), IsLasting: true);

    private EventsVerdict Judge(IReadOnlyCollection<Witness>? witnesses = null) =>
        new EventsJudge(_told, _ => Expected).Judge(witnesses ?? [Of(_first, 0, 100), Of(_second, 100, 100)]);
}
